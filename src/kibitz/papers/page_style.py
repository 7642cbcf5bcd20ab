"""How the report looks: light and dark, wide and narrow, on paper."""

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #fff; --ink: #1c2026; --soft: #5d6673; --line: #dfe1e4;
  --tint: #f1f2f0;
  --link: #0b5a8f; --accent: #0072b2; --good: #05603a; --good-tint: #ddf2e6; --best: #084b83; --best-tint: #dcebf9;
  --bad: #9b1c1c; --bad-tint: #fbe3e0; --mild: #6b4a00; --mild-tint: #f8edd2;
    --shade: 0 1px 2px #0001, 0 6px 20px #0000000d; }
@media (prefers-color-scheme: dark) { :root { --paper: #12151a; --card: #1a1e25; --ink: #e6e9ed; --soft: #9ba5b2;
  --line: #313843;
  --tint: #20262e; --link: #7cb7f5; --accent: #56b4e9; --good: #82dcae; --good-tint: #12352a; --best: #9ccbff;
    --best-tint: #16324f;
  --bad: #ff9f94; --bad-tint: #421c1a; --mild: #f2c462; --mild-tint: #3a2e10; --shade: none; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
.sheet { max-width: 74rem; margin: 0 auto; padding: 3rem 1.5rem 5rem; }
h1 { font-size: clamp(1.8rem, 5vw, 2.6rem); line-height: 1.12; margin: 0 0 .6rem; letter-spacing: -.02em; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 4.5rem 0 .3rem; letter-spacing: -.01em; }
h3 { font-size: 1.12rem; line-height: 1.3; margin: 0; }
p { margin: .4rem 0; max-width: 48rem; } .soft, figcaption, small { color: var(--soft); }
header p { font-size: 1.05rem; }
.name { font: .78rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--soft); font-weight: 400; }
.papers { display: grid; gap: 1.1rem; margin: 2rem 0 1rem; }
.paper { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 21rem); gap: 1.2rem 2rem;
  padding: 1.3rem 1.5rem;
  background: var(--card); border: 1px solid var(--line); border-radius: .8rem; box-shadow: var(--shade); }
.paper h3 { font-size: 1.15rem; } .paper .who { font-size: .88rem; color: var(--soft); margin: .1rem 0 .7rem; }
.paper svg { align-self: center; } .paper p.says { margin: 0 0 .7rem; }
.paper ul { list-style: none; margin: 0 0 .8rem; padding: 0; max-width: none; font-size: .92rem; }
.paper li { padding: .32rem 0; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .1rem .8rem;
  align-items: baseline; }
.paper li span.what { flex: 1 1 100%; color: var(--soft); } .paper li b { font-weight: 600;
  font-variant-numeric: tabular-nums; }
.pills { display: flex; flex-wrap: wrap; gap: .35rem; margin: .5rem 0 0; }
.verdict { display: inline-block; padding: .08rem .6rem; border-radius: 1rem; font-size: .82rem;
  background: var(--tint);
  white-space: nowrap; color: var(--soft); }
.reproduced, .agrees { color: var(--good); background: var(--good-tint); }
.beaten { color: var(--best); background: var(--best-tint); font-weight: 600; }
.missed, .differs { color: var(--bad); background: var(--bad-tint); }
.near { color: var(--mild); background: var(--mild-tint); }
article { margin: 1.4rem 0; padding: 1.3rem 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .8rem;
  box-shadow: var(--shade); }
.wide { overflow-x: auto; margin: 1rem -.3rem; padding: 0 .3rem; }
table { border-collapse: collapse; font-size: .91rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0 0 .45rem; }
th, td { padding: .4rem .8rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th:first-child, td:first-child { padding-left: .2rem; white-space: normal; min-width: 8rem; }
th { font-weight: 600; font-size: .8rem; color: var(--soft); border-bottom: 2px solid var(--line); }
tbody tr:hover { background: var(--tint); } .number { text-align: right; }
td small { display: block; font-size: .76rem; line-height: 1.3; }
.claims { width: 100%; } .claims td { white-space: normal; max-width: 24rem; }
  .claims td:last-child { min-width: 11rem; }
.claims td b { font-weight: 600; white-space: nowrap; } .claims td small { margin-top: .1rem; }
.claims .says { min-width: 14rem; }
figure { margin: 1.2rem 0 .4rem; } figcaption { font-size: .85rem; margin-top: .2rem; max-width: 44rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: .4rem 2rem; }
ul { margin: .4rem 0; padding-left: 1.2rem; max-width: 48rem; } li { margin: .15rem 0; }
details { margin: .8rem 0; } summary { cursor: pointer; color: var(--link); font-size: .92rem; }
.run { margin: .7rem 0 0; font-size: .78rem; color: var(--soft); max-width: none; overflow-wrap: anywhere; }
code { font: .95em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--tint);
  padding: .1em .35em;
  border-radius: .25rem; color: var(--ink); }
.unread { margin: 1.5rem 0; padding: .6rem 1rem; border: 1px solid var(--mild); border-radius: .6rem;
  max-width: 52rem; font-size: .92rem; }
footer { margin-top: 4rem; font-size: .85rem; color: var(--soft); }
@media (max-width: 46rem) {
  .sheet { padding: 1.6rem .9rem 3rem; } article, .paper { padding: 1rem; border-radius: .6rem; }
  .paper { grid-template-columns: minmax(0, 1fr); } h2 { margin-top: 3rem; }
  .claims, .claims tbody, .claims tr, .claims td { display: block; width: 100%; max-width: none; }
    .claims thead { display: none; }
  .claims tr { padding: .6rem 0; border-bottom: 1px solid var(--line); } .claims td { border: 0; padding: .12rem 0;
    text-align: left; }
  .claims td.says { font-weight: 600; } .claims td:empty { display: none; } .claims td b { white-space: normal; }
  .claims td[data-label] { display: grid; grid-template-columns: 5.4rem minmax(0, 1fr); align-items: baseline; }
  .claims td[data-label]::before { content: attr(data-label); color: var(--soft); font-size: .8rem; }
  .claims td[data-label] > * { grid-column: 2; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --tint: #f4f4f4;
    --link: #000;
    --good: #05603a; --good-tint: #fff; --best: #084b83; --best-tint: #fff; --bad: #9b1c1c; --bad-tint: #fff;
      --mild: #6b4a00;
    --mild-tint: #fff; --shade: none; }
  body { font-size: 10.5pt; } .sheet { max-width: none; padding: 0; } .paper, figure, tr { break-inside: avoid; }
    h2, h3 { break-after: avoid; }
  article { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: .8rem 0; }
    .wide { overflow: visible; }
  th, td { white-space: normal; padding: .25rem .5rem; } .verdict { border: 1px solid currentColor; }
  details.more { display: none; }
}
"""
