"""Records in the format of the Internet Skat Server, each with the class a reader must put it in.

The deals are invented; values, points, tricks and flags come from the naive game and its ISS settlement (RULES.md, 12).
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Class = Literal["PLAYED", "SHORTENED", "PASSED", "PENALTY", "CORRUPT"]


class Example(NamedTuple):
    """One record: its name, the class it belongs to, and the text between and with "(;" and ";)"."""

    name: str
    expected: Class
    text: str


def record(name: str, expected: Class, deal: str, moves: str, result: str, view: int | None = None) -> Example:
    """Puts the fixed properties around a deal, the moves after it and a result."""
    owner = "" if view is None else f"OW[{view}]"
    text = (
        f"(;GM[Skat]PC[kibitz]CO[]SE[1]ID[7]DT[2024-05-01/12:00:00/UTC]{owner}P0[anna]P1[bert:2]P2[carl]"
        f"R0[]R1[1.5]R2[null]MV[w {deal} {moves} ]R[{result}] ;)"
    )
    return Example(name, expected, text)


def edited(name: str, expected: Class, source: str, *changes: tuple[str, str]) -> Example:
    """Makes a record from another one by replacing what occurs in it exactly once."""
    text = next(example.text for example in RECORDS if example.name == source)
    for old, new in changes:
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    return Example(name, expected, text)


RECORDS: list[Example] = [
    # suit after a pick-up, won; forehand and rearhand drop out
    record(
        "suit-won",
        "PLAYED",
        "HK.DA.CK.SK.DJ.C8.C9.H8.CQ.SQ.H9.D9.H7.CA.DQ.D8.ST.HT.D7.HJ.SJ.S7.SA.C7.HA.CJ.CT.DT.S9.HQ.DK.S8",
        "1 18 0 p 2 20 1 y 2 p 1 s w DK.S8 1 D.ST.HT 0 C8 1 CA 2 C7 1 HJ 2 DT 0 DA 1 DK 2 CJ 0 DJ 2 S9 0 SQ "
        "1 S8 0 HK 1 H9 2 HA 2 SJ 0 C9 1 DQ 2 S7 0 SK 1 D9 1 D8 2 CT 0 H8 1 D7 2 HQ 0 CQ 1 H7 2 SA 0 CK",
        "d:1 win v:27 m:-2 bidok p:89 t:6 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # suit after a pick-up, lost with sixty
    record(
        "suit-lost",
        "PLAYED",
        "SA.HJ.CT.C7.HT.SQ.CK.HA.SJ.C9.C8.S9.D9.D8.DT.D7.HK.S8.CJ.CQ.CA.HQ.SK.S7.H7.DA.DK.ST.H8.H9.DQ.DJ",
        "1 18 0 y 1 20 0 p 2 22 1 p 2 s w DQ.DJ 2 H.ST.SK 0 C9 1 CQ 2 CA 2 HQ 0 HA 1 CJ 1 D9 2 DQ 0 HT 0 SA "
        "1 S9 2 S7 0 SJ 1 HK 2 H9 0 CK 1 C8 2 H7 2 DA 0 SQ 1 D7 2 DJ 0 HJ 1 DT 0 CT 1 S8 2 H8 2 DK 0 C7 1 D8",
        "d:2 loss v:-80 m:-3 bidok p:60 t:5 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # both pass at once and forehand plays at 18; lost as schneider
    record(
        "opened",
        "PLAYED",
        "S7.H9.DQ.D8.D7.C9.DJ.CQ.SJ.SA.HJ.HK.SK.CA.DT.HT.C7.HA.ST.DA.HQ.S8.H7.CJ.CK.CT.C8.DK.S9.SQ.D9.H8",
        "1 p 2 p 0 18 0 s w D9.H8 0 D.CQ.C9 0 S7 1 ST 2 SQ 1 HJ 2 CJ 0 D7 2 DK 0 D8 1 DA 1 DT 2 CT 0 D9 1 HA "
        "2 HQ 0 H8 1 CA 2 CK 0 H9 1 HT 2 H7 0 SA 1 SK 2 S9 0 DQ 0 DJ 1 HK 2 S8 0 SJ 1 C7 2 C8",
        "d:0 loss v:-54 m:-1 bidok p:18 t:3 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # grand won with schneider
    record(
        "grand-schneider",
        "PLAYED",
        "DA.H8.C8.CA.HJ.CJ.CT.H7.HA.SJ.SQ.HK.HQ.DJ.SK.D8.SA.HT.CQ.DQ.C9.CK.D9.DK.ST.S9.S7.S8.D7.DT.H9.C7",
        "1 18 0 y 1 20 0 y 1 p 2 p 0 s w H9.C7 0 G.C7.C8 0 CJ 1 DJ 2 DK 0 SJ 1 SA 2 D9 0 HJ 1 D8 2 D7 0 HA 1 HQ "
        "2 DT 0 DA 1 DQ 2 ST 0 CA 1 CQ 2 CK 0 CT 1 SK 2 C9 0 H9 1 HT 2 S9 1 SQ 2 S7 0 H8 1 HK 2 S8 0 H7",
        "d:0 win v:120 m:3 bidok p:103 t:7 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # grand won with all the tricks, nothing announced
    record(
        "grand-schwarz",
        "PLAYED",
        "HA.CJ.DA.DJ.HJ.CT.CK.HT.SJ.CA.H8.H9.C8.SK.D7.HK.DT.HQ.D8.S7.SQ.S8.ST.CQ.C9.H7.DQ.C7.S9.D9.SA.DK",
        "1 18 0 y 1 20 0 y 1 p 2 p 0 s w SA.DK 0 G.DK.CK 0 CJ 1 D7 2 C7 0 SJ 1 S7 2 H7 0 HJ 1 C8 2 S8 0 DJ 1 D8 "
        "2 C9 0 SA 1 SK 2 S9 0 HA 1 H8 2 D9 0 DA 1 DT 2 DQ 0 CA 1 H9 2 CQ 0 HT 1 HQ 2 SQ 0 CT 1 HK 2 ST",
        "d:0 win v:168 m:4 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # grand lost without a trick
    record(
        "grand-lost-schwarz",
        "PLAYED",
        "D9.ST.D7.HJ.CQ.C9.SQ.HA.SA.D8.C8.HQ.CT.H9.DT.S9.S7.H8.HK.S8.DK.CK.CJ.CA.DQ.H7.C7.SJ.SK.DA.DJ.HT",
        "1 18 0 p 2 20 1 y 2 p 1 s w DJ.HT 1 G.DT.CT 0 HJ 1 DJ 2 CJ 2 SJ 0 SA 1 S7 2 DA 0 D9 1 C8 2 CA 0 CQ "
        "1 H8 2 SK 0 ST 1 S8 0 HA 1 H9 2 H7 0 SQ 1 S9 2 DK 0 C9 1 HQ 2 CK 2 DQ 0 D8 1 HK 2 C7 0 D7 1 HT",
        "d:1 loss v:-288 m:-3 bidok p:20 t:0 s:1 z:1 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # null, ten tricks without one for the declarer
    record(
        "null-won",
        "PLAYED",
        "HQ.HK.CK.ST.D8.HJ.DJ.HA.DQ.CJ.SK.S9.SA.CA.CT.H9.DT.CQ.SQ.DK.D9.C7.S8.H7.C9.HT.D7.S7.C8.H8.SJ.DA",
        "1 18 0 y 1 20 0 p 2 22 1 p 2 s w SJ.DA 2 N.DA.SJ 0 D8 1 DT 2 D9 1 H9 2 H8 0 HJ 0 ST 1 S9 2 S8 0 CJ "
        "1 CT 2 C9 0 DJ 1 DK 2 D7 1 CQ 2 C8 0 CK 0 DQ 1 SQ 2 HT 0 HQ 1 SK 2 H7 0 HK 1 CA 2 S7 0 HA 1 SA 2 C7",
        "d:2 win v:23 m:0 bidok p:13 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # null lost in the fourth trick, which ends it
    record(
        "null-lost",
        "PLAYED",
        "S7.H9.DQ.D8.D7.C9.DJ.CQ.SJ.SA.HJ.HK.SK.CA.DT.HT.C7.HA.ST.DA.HQ.S8.H7.CJ.CK.CT.C8.DK.S9.SQ.D9.H8",
        "1 18 0 y 1 20 0 p 2 22 1 p 2 s w D9.H8 2 N.DK.CK 0 D7 1 DT 2 D9 1 CA 2 CJ 0 C9 1 DA 2 H7 0 DQ 1 HT 2 HQ 0 H9",
        "d:2 loss v:-46 m:0 bidok p:21 t:1 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # null ouvert in the world's view: the discards only
    record(
        "null-ouvert-won",
        "PLAYED",
        "HQ.HK.CQ.ST.HJ.HA.DJ.HT.D9.CJ.DT.C7.S9.H7.CT.D7.D8.S7.C8.H9.SK.S8.SA.CA.CK.H8.DK.C9.SQ.DQ.SJ.DA",
        "1 18 0 y 1 20 0 y 1 22 0 y 1 23 0 y 1 24 0 p 2 27 1 y 2 p 1 s w SJ.DA 1 NO.DA.SJ 0 D9 1 D8 2 DQ 2 H8 "
        "0 HT 1 H9 0 ST 1 S9 2 S8 0 CJ 1 CT 2 C9 0 DJ 1 DT 2 DK 2 SQ 0 HJ 1 S7 2 CK 0 CQ 1 C8 2 SK 0 HQ 1 H7 "
        "2 CA 0 HK 1 C7 2 SA 0 HA 1 D7",
        "d:1 win v:46 m:0 bidok p:13 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # null hand
    record(
        "null-hand-won",
        "PLAYED",
        "D8.C7.S8.H7.CT.HT.D7.S7.C8.H8.HQ.HK.CQ.ST.D9.HJ.DJ.HA.DQ.CJ.SK.S9.SA.CA.CK.H9.DT.C9.SQ.DK.SJ.DA",
        "1 p 2 p 0 18 0 NH 0 C7 1 CJ 2 C9 1 D9 2 DT 0 D8 2 H9 0 H8 1 HJ 1 ST 2 S9 0 S8 1 DJ 2 DK 0 D7 2 SQ 0 S7 "
        "1 CQ 2 CK 0 CT 1 DQ 2 SK 0 HT 1 HQ 2 CA 0 C8 1 HK 2 SA 0 H7 1 HA",
        "d:0 win v:35 m:0 bidok p:13 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # null ouvert hand, lost at once
    record(
        "null-ouvert-hand-lost",
        "PLAYED",
        "HT.HK.DJ.SK.D8.SA.S8.DQ.CK.CJ.C7.C9.CQ.H7.CT.H9.H8.SQ.DT.SJ.DA.DK.HJ.D7.D9.S9.C8.S7.HA.ST.CA.HQ",
        "1 18 0 p 2 p 1 NOH 0 D8 1 DT 2 D7",
        "d:1 loss v:-118 m:0 bidok p:24 t:1 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # spades hand; the jack in the skat makes it with 3
    record(
        "hand-won",
        "PLAYED",
        "C8.H8.CQ.DK.S7.CK.CT.HQ.DJ.S8.C9.SK.SA.H9.CJ.SJ.DA.ST.CA.S9.D7.H7.HT.SQ.D8.HK.HA.DT.D9.DQ.HJ.C7",
        "1 18 0 y 1 20 0 y 1 22 0 p 2 p 1 SH 0 S8 1 CJ 2 SQ 1 SJ 2 D8 0 DJ 1 SA 2 DT 0 S7 1 ST 2 D7 0 CK 1 SK "
        "2 HK 0 HQ 1 S9 2 D9 0 H8 1 DA 2 DQ 0 DK 1 CA 2 H7 0 CQ 1 H9 2 HA 0 C8 2 HT 0 CT 1 C9",
        "d:1 win v:55 m:3 bidok p:89 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # clubs hand, schneider announced and made
    record(
        "schneider-announced-won",
        "PLAYED",
        "ST.CT.HA.SJ.C9.CJ.CK.CQ.HJ.CA.DQ.D9.S9.H9.D7.S7.C7.HT.HK.DJ.DK.SA.S8.H7.HQ.DA.SK.H8.SQ.D8.C8.DT",
        "1 18 0 y 1 20 0 y 1 p 2 p 0 CHS 0 CJ 1 DJ 2 H7 0 SJ 1 C7 2 DA 0 HJ 1 HK 2 SK 0 CA 1 H9 2 DK 0 CT 1 DQ "
        "2 HQ 0 CK 1 S7 2 S8 0 CQ 1 D7 2 D8 0 C9 1 D9 2 SQ 0 HA 1 HT 2 H8 0 ST 1 S9 2 SA",
        "d:0 win v:84 m:3 bidok p:99 t:9 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # hearts hand, schneider announced; over when the defenders have 31
    record(
        "schneider-announced-lost",
        "PLAYED",
        "DA.SK.CT.S9.S8.CA.DJ.D9.SQ.DT.HQ.SA.DK.HJ.DQ.CK.CQ.H7.ST.C7.C8.CJ.HA.SJ.HK.D7.HT.C9.D8.H9.H8.S7",
        "1 18 0 y 1 20 0 p 2 22 1 p 2 HHS 0 DJ 1 HJ 2 HK 1 HQ 2 HT 0 DA 2 D7 0 DT 1 DK 0 CA 1 CK 2 C8",
        "d:2 loss v:-100 m:2 bidok p:24 t:1 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # the same ended before the declarer had a trick: ISS adds schwarz
    record(
        "schneider-announced-no-trick",
        "PLAYED",
        "H7.SJ.DA.S8.HK.SQ.CA.HA.C9.CK.DT.DQ.H9.HQ.HT.CJ.C7.CT.H8.S9.HJ.D9.C8.D8.DJ.ST.D7.S7.DK.SK.CQ.SA",
        "1 18 0 y 1 20 0 p 2 22 1 p 2 DHS 0 SJ 1 CJ 2 D7 1 DT 2 D8 0 DA 0 HA 1 HT 2 S7",
        "d:2 loss v:-108 m:-2 bidok p:14 t:0 s:1 z:1 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # grand hand, schwarz announced and made
    record(
        "schwarz-announced-won",
        "PLAYED",
        "CQ.CJ.DA.DJ.HJ.CT.CK.HA.SJ.CA.H9.HQ.C8.ST.D7.HT.DT.HK.D8.S8.SK.S9.SA.S7.C9.H8.DQ.C7.SQ.D9.H7.DK",
        "1 18 0 y 1 20 0 y 1 p 2 p 0 GHZ 0 CJ 1 D7 2 C7 0 SJ 1 C8 2 S7 0 HJ 1 D8 2 H8 0 DJ 1 S8 2 C9 0 HA 1 H9 "
        "2 D9 0 DA 1 DT 2 DQ 0 CA 1 HQ 2 S9 0 CT 1 HK 2 SQ 0 CK 1 HT 2 SK 0 CQ 1 ST 2 SA",
        "d:0 win v:240 m:4 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # clubs hand, schwarz announced, over with the first trick lost; value as ISS counts now
    record(
        "schwarz-announced-lost",
        "PLAYED",
        "C7.D9.DJ.HK.HQ.D7.H9.DA.HA.S8.CA.CT.HJ.C9.SJ.CJ.S7.CK.CQ.H7.S9.ST.DT.D8.H8.DQ.SK.SQ.SA.C8.HT.DK",
        "1 18 0 p 2 20 1 y 2 p 1 CHZ 0 DJ 1 CJ 2 C8 1 SJ 2 SA 0 C7 1 HJ 2 ST 0 HA 1 CA 2 DT 0 DA 1 CT 2 SK 0 HK "
        "1 CK 2 SQ 0 HQ 1 CQ 2 DQ 0 H9 1 C9 2 S9 0 D9 1 S7 2 H8 0 S8",
        "d:1 loss v:-168 m:3 bidok p:120 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # spades ouvert lost, with the value of the older archive: every announced level twice (ISkO)
    record(
        "ouvert-lost-old-value",
        "PLAYED",
        "CK.HT.H9.CQ.DK.HJ.C7.S8.CA.DA.S9.CJ.SQ.C8.SK.ST.H7.HA.SA.SJ.CT.HQ.D8.HK.H8.DJ.D7.DQ.DT.S7.C9.D9",
        "1 18 0 p 2 20 1 y 2 p 1 SO 0 HJ 1 CJ 2 DJ 1 SJ 2 S7 0 S8 1 SA 2 DT 0 DA 1 ST 2 CT 0 CA 1 SK 2 HK 0 HT "
        "1 SQ 2 HQ 0 DK 1 S9 2 DQ 0 CK 1 HA 2 H8 0 H9 1 C8 2 D8 0 CQ",
        "d:1 loss v:-198 m:2 bidok p:117 t:8 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # grand ouvert, thirty cards
    record(
        "grand-ouvert-won",
        "PLAYED",
        "CQ.CJ.DA.DJ.HJ.CT.CK.HA.SJ.CA.H9.HQ.C8.ST.D7.HT.DT.HK.D8.S8.SK.S9.SA.S7.C9.H8.DQ.C7.SQ.D9.H7.DK",
        "1 p 2 p 0 18 0 GO 0 CJ 1 D7 2 C7 0 SJ 1 C8 2 S7 0 HJ 1 D8 2 H8 0 DJ 1 S8 2 C9 0 HA 1 H9 2 D9 0 DA 1 DT "
        "2 DQ 0 CA 1 HQ 2 S9 0 CT 1 HK 2 SQ 0 CK 1 HT 2 SK 0 CQ 1 ST 2 SA",
        "d:0 win v:264 m:4 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # enough points but overbid
    record(
        "overbid",
        "PLAYED",
        "S9.CQ.H8.H7.HQ.SK.CA.SA.DQ.C8.S8.C7.SJ.ST.DJ.HT.SQ.H9.CT.D7.DA.DT.HK.DK.CK.HA.CJ.D9.HJ.C9.D8.S7",
        "1 18 0 p 2 20 1 y 2 22 1 y 2 23 1 y 2 24 1 y 2 27 1 y 2 30 1 y 2 33 1 y 2 35 1 y 2 36 1 p 2 s w D8.S7 "
        "2 D.CK.HK 0 SK 1 ST 2 S7 1 C7 2 C9 0 CA 0 S9 1 SQ 2 CJ 2 HJ 0 DQ 1 SJ 1 H9 2 HA 0 H8 2 DA 0 C8 1 D7 "
        "2 DT 0 SA 1 DJ 1 S8 2 DK 0 CQ 2 D9 0 H7 1 CT 2 D8 0 HQ 1 HT",
        "d:2 loss v:-72 m:1 overbid p:65 t:6 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # overbid and short of points
    record(
        "overbid-lost",
        "PLAYED",
        "S7.CK.DK.DQ.D9.C9.CA.SK.H9.C7.H7.H8.DA.ST.SA.SJ.C8.DJ.SQ.HQ.CJ.DT.D7.CT.HT.HJ.D8.S9.S8.HA.HK.CQ",
        "1 18 0 p 2 20 1 y 2 22 1 y 2 23 1 y 2 24 1 y 2 27 1 y 2 30 1 y 2 33 1 y 2 35 1 y 2 36 1 y 2 40 1 p 2 s "
        "w HK.CQ 2 H.CT.DT 0 DK 1 DA 2 D7 1 H8 2 CJ 0 H9 2 HJ 0 C9 1 SJ 1 HQ 2 HA 0 DQ 2 HK 0 S7 1 DJ 1 SQ 2 S8 "
        "0 SK 0 CK 1 C8 2 CQ 0 D9 1 H7 2 D8 1 SA 2 S9 0 CA 1 ST 2 HT 0 C7",
        "d:2 loss v:-80 m:1 overbid p:59 t:3 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # would be overbid but for the schneider
    record(
        "saved-by-schneider",
        "PLAYED",
        "DK.C8.HJ.DA.DJ.D9.DQ.CJ.DT.HA.C9.D7.SA.CT.SK.CK.H9.CQ.H7.C7.HK.HT.S8.HQ.SJ.H8.SQ.S9.D8.ST.CA.S7",
        "1 18 0 y 1 20 0 y 1 22 0 y 1 23 0 y 1 24 0 y 1 27 0 y 1 p 2 p 0 s w CA.S7 0 D.S7.C8 0 CJ 1 D7 2 D8 "
        "0 HJ 1 C7 2 SJ 2 H8 0 HA 1 H7 0 DJ 1 C9 2 S8 0 DA 1 H9 2 S9 0 DT 1 CQ 2 HQ 0 DK 1 CK 2 SQ 0 DQ 1 SK "
        "2 HK 0 D9 1 CT 2 HT 0 CA 1 SA 2 ST",
        "d:0 win v:27 m:1 bidok p:116 t:9 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # a jump bid
    record(
        "jump",
        "PLAYED",
        "S7.H9.DQ.D8.D7.C9.DJ.CQ.SJ.SA.HJ.HK.SK.CA.DT.HT.C7.HA.ST.DA.HQ.S8.H7.CJ.CK.CT.C8.DK.S9.SQ.D9.H8",
        "1 33 0 p 2 p 1 s w D9.H8 1 H.ST.SK 0 D7 1 DA 2 DK 1 HJ 2 CJ 0 SJ 2 C8 0 CQ 1 CA 1 HA 2 H7 0 DJ 0 H9 "
        "1 HT 2 HQ 1 HK 2 CT 0 D8 1 H8 2 CK 0 SA 1 DT 2 SQ 0 DQ 1 D9 2 S9 0 S7 1 C7 2 S8 0 C9",
        "d:1 win v:40 m:-2 bidok p:101 t:7 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # split declaration: the contract, then the discards
    record(
        "split",
        "PLAYED",
        "DA.SA.C8.HT.HA.CJ.HK.ST.H9.SJ.S8.HQ.H8.DJ.S9.D8.SK.HJ.CQ.DQ.C9.CK.D9.DK.SQ.S7.CT.CA.D7.DT.H7.C7",
        "1 18 0 y 1 20 0 y 1 p 2 p 0 s w H7.C7 0 G 0 HK.C7 0 CJ 1 HJ 2 CT 0 SJ 1 DJ 2 D7 0 SA 1 SK 2 S7 0 HA "
        "1 H8 2 DT 0 DA 1 DQ 2 D9 0 ST 1 S9 2 SQ 0 HT 1 HQ 2 DK 0 H9 1 CQ 2 C9 0 C8 1 D8 2 CK 2 CA 0 H7 1 S8",
        "d:0 win v:96 m:2 bidok p:105 t:8 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # split declaration of a null
    record(
        "split-null",
        "PLAYED",
        "C9.D8.DK.H7.CQ.DT.CA.SK.SQ.D9.S8.H9.CK.S7.DQ.HK.ST.CT.HQ.C8.SA.SJ.C7.H8.D7.CJ.HT.S9.HA.DA.DJ.HJ",
        "1 p 2 p 0 18 0 s w DJ.HJ 0 N 0 CA.SK 0 DK 1 DQ 2 DA 2 C7 0 CQ 1 C8",
        "d:0 loss v:-46 m:0 bidok p:18 t:1 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # the declarer shows his cards and all the same everything is played
    record(
        "shown-and-played",
        "PLAYED",
        "S8.HQ.H8.DJ.S9.D8.SK.HJ.CQ.DQ.C9.CK.D9.DK.SQ.S7.CT.CA.D7.DT.DA.SA.C8.HT.HA.CJ.HK.ST.H9.SJ.H7.C7",
        "1 18 0 y 1 20 0 p 2 22 1 p 2 s w H7.C7 2 H.C7.C8 0 DJ 1 CT 2 CJ 2 SJ 0 HQ 1 CA 2 HA 0 HJ 1 D7 0 H8 "
        "1 CK 2 HT 2 HK 0 D8 1 S7 2 H9 0 DQ 1 C9 2 H7 0 SK 1 DK 2 SA 0 S8 1 SQ 2 SC 2 ST 0 S9 1 D9 2 DA 0 CQ "
        "1 DT",
        "d:2 win v:40 m:2 bidok p:107 t:9 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # one defender alone resigns, which ends nothing
    record(
        "lone-resignation",
        "PLAYED",
        "HJ.D8.CT.S7.DK.H7.SA.DJ.HQ.C9.CA.ST.SQ.H8.S8.C7.D7.C8.SK.D9.CJ.HT.CK.SJ.CQ.DA.HK.DT.HA.H9.S9.DQ",
        "1 18 0 y 1 20 0 p 2 22 1 p 2 s w S9.DQ 2 H.CK.CQ 0 C9 1 C7 2 CJ 2 SJ 0 H7 1 H8 2 HA 0 HJ 1 SQ 0 S7 "
        "1 ST 2 S9 0 RE 1 SK 2 DA 0 SA 0 DJ 1 D9 2 H9 0 DK 1 D7 2 DQ 0 D8 1 S8 2 DT 2 HT 0 HQ 1 CA 2 HK 0 CT "
        "1 C8",
        "d:2 loss v:-60 m:2 bidok p:59 t:5 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # hand ouvert with the ten cards appended
    record(
        "ouvert-with-cards",
        "PLAYED",
        "D8.C7.S9.H7.CT.HT.D7.S7.C8.H8.HQ.HK.CQ.ST.D9.HJ.DJ.HA.DQ.CJ.SK.S8.SA.CA.CK.H9.DT.C9.SQ.DK.SJ.DA",
        "1 p 2 p 0 18 0 NOH.D8.C7.S9.H7.CT.HT.D7.S7.C8.H8 0 C7 1 CJ 2 C9 1 D9 2 DT 0 D8 2 S8 0 S7 1 ST 1 DJ "
        "2 DK 0 D7 2 H9 0 H8 1 HJ 1 CQ 2 CK 0 CT 2 SQ 0 S9 1 DQ 2 SK 0 HT 1 HQ 2 CA 0 C8 1 HK 2 SA 0 H7 1 HA",
        "d:0 win v:59 m:0 bidok p:13 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
    ),
    # both defenders resign before a card is played
    record(
        "resigned-null-ouvert",
        "SHORTENED",
        "HQ.HK.CQ.ST.HJ.HA.DJ.HT.D9.CJ.DT.C7.S9.H7.CT.D7.D8.S7.C8.H9.SK.S8.SA.CA.CK.H8.DK.C9.SQ.DQ.SJ.DA",
        "1 18 0 y 1 20 0 y 1 22 0 y 1 23 0 y 1 24 0 p 2 p 1 s w SJ.DA 1 NO.DA.SJ 2 RE 0 RE",
        "d:1 win v:46 m:0 bidok p:13 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1",
    ),
    # the declarer shows his cards, both defenders resign
    record(
        "claim",
        "SHORTENED",
        "DA.H8.C8.CA.HJ.CJ.CT.H7.HA.SJ.SQ.HK.HQ.DJ.SK.D8.SA.HT.CQ.DQ.C9.CK.D9.DK.ST.S9.S7.S8.D7.DT.H9.C7",
        "1 18 0 y 1 20 0 y 1 p 2 p 0 s w H9.C7 0 G.C7.C8 0 CJ 1 DJ 2 DK 0 SJ 1 SA 2 D9 0 HJ 1 D8 2 D7 0 HA 1 HQ "
        "2 DT 0 DA 1 DQ 2 ST 0 CA 1 CQ 2 CK 0 CT 1 SK 2 C9 0 H9 1 HT 2 S9 0 SC 1 RE 2 RE",
        "d:0 win v:120 m:3 bidok p:110 t:9 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1",
    ),
    # shown cards listed, a card between the resignations
    record(
        "claim-with-cards",
        "SHORTENED",
        "ST.S7.HT.HK.D9.H9.SQ.C8.SK.C7.CT.S8.HJ.CQ.SJ.CK.CA.D8.C9.CJ.D7.H8.SA.HA.HQ.DT.S9.DA.DK.DJ.H7.DQ",
        "1 18 0 p 2 20 1 y 2 p 1 s w H7.DQ 1 C.DQ.S8 0 C7 1 CT 2 DJ 2 HA 0 HT 1 H7 2 DT 0 D9 1 D8 2 SA 0 ST "
        "1 CK 1 C9 2 HQ 0 C8 1 CA 2 S9 0 S7 1 SJ 2 DA 0 SQ 1 HJ 2 H8 0 SK 1 SC.CJ.CQ 2 RE 1 CJ 0 RE",
        "d:1 win v:48 m:3 bidok p:77 t:7 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1",
    ),
    # the declarer resigns in the fourth trick: the loss as things stand
    record(
        "declarer-resigned",
        "SHORTENED",
        "SJ.H9.H8.CK.SQ.HQ.DJ.HK.DA.C9.D9.C7.D8.S7.DT.CJ.CA.DQ.H7.HJ.SK.ST.HT.HA.CQ.CT.C8.DK.S9.SA.S8.D7",
        "1 18 0 y 1 20 0 p 2 22 1 p 2 s w S8.D7 2 S.CT.DK 0 C9 1 C7 2 C8 0 HK 1 H7 2 HA 2 SA 0 SJ 1 CJ 1 DT 2 RE",
        "d:2 loss v:-132 m:-4 bidok p:29 t:1 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1",
    ),
    # the declarer resigns in the first trick: neither schneider nor schwarz
    record(
        "declarer-resigned-at-once",
        "SHORTENED",
        "S7.H9.DQ.D8.D7.C9.DJ.CQ.SJ.SA.HJ.HK.SK.CA.DT.HT.C7.HA.ST.DA.HQ.S8.H7.CJ.CK.CT.C8.DK.S9.SQ.D9.H8",
        "1 18 0 y 1 20 0 p 2 22 1 p 2 s w D9.H8 2 C.DK.SQ 0 D7 1 DT 2 RE",
        "d:2 loss v:-48 m:1 bidok p:7 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1",
    ),
    # the declarer resigns when he already has his points: won
    record(
        "declarer-resigned-with-61",
        "SHORTENED",
        "DA.H8.C8.CA.HJ.CJ.CT.H7.HA.SJ.SQ.HK.HQ.DJ.SK.D8.SA.HT.CQ.DQ.C9.CK.D9.DK.ST.S9.S7.S8.D7.DT.H9.C7",
        "1 18 0 y 1 20 0 y 1 p 2 p 0 s w H9.C7 0 G.C7.C8 0 CJ 1 DJ 2 D7 0 SJ 1 D8 2 S7 0 HJ 1 CQ 2 S8 0 HA 1 HQ "
        "2 C9 0 DA 1 DQ 2 D9 0 CA 1 SQ 2 CK 0 CT 1 HK 2 S9 0 RE",
        "d:0 win v:96 m:3 bidok p:71 t:7 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:1",
    ),
    # a defender runs out of time: the rest to the declarer
    record(
        "defender-timeout",
        "SHORTENED",
        "D7.DJ.DK.ST.C8.S7.H7.SJ.SK.S8.DA.SQ.H9.CA.D8.CK.HA.C9.HJ.DQ.HT.H8.D9.SA.S9.C7.CT.HQ.HK.DT.CQ.CJ",
        "1 18 0 p 2 20 1 y 2 p 1 s w CQ.CJ 1 C.SQ.DQ 0 SK 1 CK 2 SA 1 HA 2 HT 0 H7 1 CQ 2 C7 0 SJ 0 D7 1 D8 "
        "2 DT 2 CT w TI.2",
        "d:1 win v:36 m:1 bidok p:105 t:8 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:2 r:0",
    ),
    # the declarer runs out of time
    record(
        "declarer-timeout",
        "SHORTENED",
        "S7.H9.DQ.D8.D7.C9.DJ.CQ.SJ.SA.HJ.HK.SK.CA.DT.HT.C7.HA.ST.DA.HQ.S8.H7.CJ.CK.CT.C8.DK.S9.SQ.D9.H8",
        "1 18 0 p 2 20 1 y 2 p 1 s w D9.H8 1 G.ST.SK 0 D7 1 D9 2 DK 2 CK 0 C9 1 CA 1 C7 2 C8 0 CQ 0 DQ 1 DT w TI.1",
        "d:1 loss v:-192 m:-2 bidok p:29 t:1 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:1 r:0",
    ),
    # a defender leaves; every trick is the declarer's, so schwarz
    record(
        "defender-left",
        "SHORTENED",
        "DA.SA.C8.HT.HA.CJ.HK.ST.H9.SJ.S8.HQ.H8.DJ.S9.D8.SK.HJ.CQ.DQ.C9.CK.D9.DK.SQ.S7.CT.CA.D7.DT.H7.C7",
        "1 18 0 y 1 20 0 y 1 p 2 p 0 s w H7.C7 0 H.C7.C8 0 CJ 1 H8 2 D7 0 SJ 1 HQ 2 S7 w LE.1",
        "d:0 win v:50 m:2 bidok p:120 t:10 s:1 z:1 p0:0 p1:0 p2:0 l:1 to:-1 r:0",
    ),
    # the declarer of a null leaves without having taken a trick
    record(
        "declarer-left",
        "SHORTENED",
        "S7.H9.DQ.D8.D7.C9.DJ.CQ.SJ.SA.HJ.HK.SK.CA.DT.HT.C7.HA.ST.DA.HQ.S8.H7.CJ.CK.CT.C8.DK.S9.SQ.D9.H8",
        "1 p 2 p 0 18 0 s w D9.H8 0 N.SA.CQ 0 D7 1 DT 2 DK 2 HQ 0 H8 1 HA 1 C7 w LE.0",
        "d:0 loss v:-46 m:0 bidok p:14 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:0 to:-1 r:0",
    ),
    # out of time between contract and discards: ISS counts matadors in the skat alone
    record(
        "timeout-before-discard",
        "SHORTENED",
        "CK.HK.HQ.D8.H8.S9.D9.SQ.C7.HT.C9.DT.CA.HJ.SJ.S7.CT.CQ.SK.CJ.HA.ST.H9.D7.DJ.S8.C8.DQ.SA.H7.DK.DA",
        "1 18 0 p 2 20 1 y 2 p 1 s w DK.DA 1 C w TI.1",
        "d:1 loss v:-288 m:-11 bidok p:15 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:1 r:0",
    ),
    # nobody bids
    record(
        "passed-in",
        "PASSED",
        "H7.S9.CA.CJ.DT.D9.CQ.S8.SJ.H8.HQ.DK.CK.HA.DJ.C7.S7.H9.ST.HK.C9.D8.HJ.DQ.SQ.SK.D7.SA.HT.CT.DA.C8",
        "1 p 2 p 0 p",
        "passed",
    ),
    # rearhand leaves in the auction
    record(
        "left-while-bidding",
        "PENALTY",
        "DA.CA.CJ.DJ.C9.DQ.DK.HA.H8.SA.HQ.HJ.D9.CQ.D8.S9.HT.C8.S8.DT.D7.S7.SQ.CK.SK.CT.H7.C7.SJ.H9.ST.HK",
        "1 18 0 p w LE.2",
        "d:-1 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:1 l:2 to:-1 r:0",
    ),
    # forehand runs out of time in the auction
    record(
        "timeout-while-bidding",
        "PENALTY",
        "D8.D7.H9.HQ.H7.CJ.D9.DT.SJ.SK.CK.HA.C7.C8.DA.HJ.H8.SQ.CT.HK.CA.DQ.HT.S7.DJ.DK.ST.CQ.SA.S8.C9.S9",
        "1 18 w TI.0",
        "d:-1 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:1 p1:0 p2:0 l:-1 to:0 r:0",
    ),
    # the highest bidder runs out of time over the skat
    record(
        "timeout-before-declaring",
        "PENALTY",
        "CT.C7.D9.SJ.SQ.DT.D7.ST.H9.DA.C8.DK.CK.HA.HJ.CJ.C9.S9.H7.HT.CA.D8.SK.HK.CQ.S7.S8.H8.DJ.HQ.SA.DQ",
        "1 18 0 p 2 p 1 s w SA.DQ w TI.1",
        "d:1 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:0 p1:1 p2:0 l:-1 to:1 r:0",
    ),
    # a defender leaves before the declaration: both are marked
    record(
        "left-before-declaring",
        "PENALTY",
        "C8.DJ.DQ.CJ.HT.H7.D7.SK.H9.HA.HQ.ST.SJ.D9.S7.CQ.DT.S8.CA.CK.H8.D8.S9.DK.HJ.C7.SA.SQ.HK.CT.DA.C9",
        "1 p 2 18 0 p w LE.0",
        "d:2 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:1 p1:1 p2:0 l:0 to:-1 r:0",
    ),
    # what rearhand was sent of a null ouvert: hidden cards cannot be replayed
    record(
        "defender-view",
        "CORRUPT",
        "??.??.??.??.??.??.??.??.??.??|??.??.??.??.??.??.??.??.??.??|SK.S8.SA.CA.CK.H8.DK.C9.SQ.DQ|??.??",
        "1 18 0 y 1 20 0 y 1 22 0 y 1 23 0 y 1 24 0 p 2 27 1 y 2 p 1 s w ??.?? "
        "1 NO.??.??.DT.C7.S9.H7.CT.D7.D8.S7.C8.H9 0 D9 1 D8 2 DQ 2 H8 0 HT 1 H9 0 ST 1 S9 2 S8 0 CJ 1 CT 2 C9 "
        "0 DJ 1 DT 2 DK 2 SQ 0 HJ 1 S7 2 CK 0 CQ 1 C8 2 SK 0 HQ 1 H7 2 CA 0 HK 1 C7 2 SA 0 HA 1 D7",
        "d:1 win v:46 m:0 bidok p:13 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
        view=2,
    ),
    # what the declarer was sent of a suit game
    record(
        "declarer-view",
        "CORRUPT",
        "??.??.??.??.??.??.??.??.??.??|H9.D9.H7.CA.DQ.D8.ST.HT.D7.HJ|??.??.??.??.??.??.??.??.??.??|??.??",
        "1 18 0 p 2 20 1 y 2 p 1 s w DK.S8 1 D.ST.HT 0 C8 1 CA 2 C7 1 HJ 2 DT 0 DA 1 DK 2 CJ 0 DJ 2 S9 0 SQ "
        "1 S8 0 HK 1 H9 2 HA 2 SJ 0 C9 1 DQ 2 S7 0 SK 1 D9 1 D8 2 CT 0 H8 1 D7 2 HQ 0 CQ 1 H7 2 SA 0 CK",
        "d:1 win v:27 m:-2 bidok p:89 t:6 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0",
        view=1,
    ),
]

EDITS: list[Example] = [
    # hand is implied
    edited("redundant-grand-ouvert", "PLAYED", "grand-ouvert-won", (" GO ", " GHO ")),
    # everything is implied
    edited("redundant-spades-ouvert", "PLAYED", "ouvert-lost-old-value", (" SO ", " SHOSZ ")),
    # schwarz implies schneider
    edited("redundant-schwarz", "PLAYED", "schwarz-announced-lost", (" CHZ ", " CHSZ ")),
    # hand before ouvert
    edited("letters-in-other-order", "PLAYED", "null-ouvert-hand-lost", (" NOH ", " NHO ")),
    # no comment, no r:
    edited("old-form", "PLAYED", "suit-won", ("CO[]", ""), (" r:0]", "]")),
    # no series, no number, empty ratings
    edited("bare", "PLAYED", "suit-lost", ("SE[1]ID[7]", ""), ("R1[1.5]R2[null]", "R1[]R2[]")),
    # a junk line before it, a comment inside, a name beyond ASCII
    edited(
        "comment-and-junk",
        "PLAYED",
        "null-lost",
        ("(;GM", "not a record\n(;\n# a remark ] of the archivist\nGM"),
        ("P0[anna]", "P0[Jürgen]"),
    ),
    # a card nobody saw
    edited("unknown-card", "CORRUPT", "suit-won", ("0 C8 1 CA 2 C7 ", "0 ?? 1 CA 2 C7 ")),
    # the last card is not named, its trick is open and a defender leaves: 12.4 settles it all the same
    edited("unknown-card-before-leaving", "SHORTENED", "defender-left", ("2 S7 w LE.1", "2 S7 0 ?? w LE.1")),
    # the same when the time of the other defender runs out, and one card lies on the table
    edited("unknown-card-before-timeout", "SHORTENED", "defender-timeout", ("2 DT 2 CT w", "2 DT 2 ?? w")),
    # nobody knows who took the trick
    edited("unknown-card-decides-a-trick", "CORRUPT", "defender-left", ("2 S7 w LE.1", "2 ?? w LE.1")),
    # it is not his turn
    edited("unknown-card-out-of-turn", "CORRUPT", "defender-left", ("2 S7 w LE.1", "2 S7 1 ?? w LE.1")),
    # a hidden card and nothing that ends the game
    edited("unknown-card-at-the-end", "CORRUPT", "defender-left", ("2 S7 w LE.1", "2 S7 0 ??")),
    # no such card
    edited("bad-card", "CORRUPT", "suit-won", ("0 C8 1 CA 2 C7 ", "0 C8 1 C1 2 C7 ")),
    # middlehand leads
    edited("out-of-turn", "CORRUPT", "suit-won", ("0 C8 1 CA 2 C7 ", "1 CA 0 C8 2 C7 ")),
    # does not follow although able
    edited("revoke", "CORRUPT", "suit-won", ("0 C8 1 CA 2 C7 ", "0 C8 1 CA 2 SJ ")),
    # plays a card of another hand
    edited("not-held", "CORRUPT", "suit-won", ("0 C8 1 CA 2 C7 ", "0 SJ 1 CA 2 C7 ")),
    # one card twice in the deal
    edited(
        "dealt-twice",
        "CORRUPT",
        "passed-in",
        (
            "H7.S9.CA.CJ.DT.D9.CQ.S8.SJ.H8.HQ.DK.CK.HA.DJ.C7.S7.H9.ST.HK.C9.D8.HJ.DQ.SQ.SK.D7.SA.HT.CT.DA.C8",
            "H7.S9.CA.CJ.DT.D9.CQ.S8.SJ.H8.HQ.DK.CK.HA.DJ.C7.S7.H9.ST.HK.C9.D8.HJ.DQ.SQ.SK.D7.SA.HT.CT.DA.H7",
        ),
    ),
    # thirty-one cards
    edited(
        "short-deal",
        "CORRUPT",
        "passed-in",
        (
            "H7.S9.CA.CJ.DT.D9.CQ.S8.SJ.H8.HQ.DK.CK.HA.DJ.C7.S7.H9.ST.HK.C9.D8.HJ.DQ.SQ.SK.D7.SA.HT.CT.DA.C8",
            "H7.S9.CA.CJ.DT.D9.CQ.S8.SJ.H8.HQ.DK.CK.HA.DJ.C7.S7.H9.ST.HK.C9.D8.HJ.DQ.SQ.SK.D7.SA.HT.CT.DA",
        ),
    ),
    # picks up what was not dealt
    edited("other-skat", "CORRUPT", "suit-won", (" s w DK.S8", " s w DK.HK")),
    # discards what he does not have
    edited("discard-not-held", "CORRUPT", "suit-won", ("1 D.ST.HT", "1 D.ST.HK")),
    # hand declared with the skat in it
    edited("hand-after-pickup", "CORRUPT", "suit-won", ("1 D.ST", "1 DH.ST")),
    # 27 is right
    edited("wrong-value", "CORRUPT", "suit-won", ("v:27", "v:36")),
    # without 2 is right
    edited("wrong-matadors", "CORRUPT", "suit-won", ("m:-2", "m:-1")),
    # sixty is right
    edited("wrong-points", "CORRUPT", "suit-lost", ("p:60", "p:59")),
    # five is right
    edited("wrong-tricks", "CORRUPT", "suit-lost", ("t:5", "t:6")),
    # lost, not won
    edited("wrong-winner", "CORRUPT", "suit-lost", ("loss v:-80", "win v:40")),
    # the flag is missing
    edited("wrong-overbid", "CORRUPT", "overbid", (" overbid ", " bidok ")),
    # a null is worth less than the bid of 27
    edited("null-too-cheap", "CORRUPT", "null-ouvert-won", (" NO.", " N.")),
    # only a hand game may announce
    edited("schneider-without-hand", "CORRUPT", "schneider-announced-lost", (" HHS ", " HS ")),
    # 18 after 18
    edited("low-bid", "CORRUPT", "suit-lost", ("0 y 1 20 ", "0 y 1 18 ")),
    # 19 is no game value
    edited("no-such-bid", "CORRUPT", "left-while-bidding", (" 1 18 ", " 1 19 ")),
    # nothing to resign yet
    edited("resigned-while-bidding", "CORRUPT", "passed-in", (" 1 p ", " 1 RE ")),
    # only the declarer may show his cards
    edited("defender-shows", "CORRUPT", "shown-and-played", ("2 SC ", "1 SC ")),
    # a card after the end
    edited("played-on", "CORRUPT", "null-lost", (" ]R[", " 2 S8 ]R[")),
    # breaks off
    edited(
        "unfinished",
        "CORRUPT",
        "declarer-timeout",
        (" w TI.1 ]", " ]"),
        ("d:1 loss v:-192 m:-2 bidok p:29 t:1 s:1 z:0 p0:0 p1:0 p2:0 l:-1 to:1 r:0", "unknown"),
    ),
    # a seat without its move
    edited("odd-moves", "CORRUPT", "passed-in", (" 0 p ]", " 0 ]")),
    # nobody played
    edited(
        "passed-with-score",
        "CORRUPT",
        "passed-in",
        ("R[passed]", "R[d:0 win v:18 m:1 bidok p:61 t:5 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:-1 r:0]"),
    ),
]


def multi_line(source: str) -> Example:
    """Writes a record with every move on a line of its own, as ISS also does."""
    text = next(example.text for example in RECORDS if example.name == source)
    return Example("multi-line", "PLAYED", re.sub(r" ([012w] )", r"\n\1", text))


EXAMPLES: list[Example] = [*RECORDS, *EDITS, multi_line("split")]
