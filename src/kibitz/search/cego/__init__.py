"""Open-card Cego: points, no trick, exactly one trick, the last trick with the 1, most points lose."""
