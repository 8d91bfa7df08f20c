import { pageOf } from "../browser.mjs";

/**
 * Tests need to know this of each panel, in the order of the pages: its main gestures by keys (what Tab reaches, with "back"
 * what Shift and Tab reach; the keys; and the link's row then), and a link in which none of its rows has its default.
 */
const ROWS = {
  problem: {
    gestures: [
      ['[data-place="1"] button', ["ArrowRight"], { moved: "0.2.1.3.4.5" }],
      ['[name="row-problemPositions"]', ["ArrowRight"], { positions: "on" }, "back"],
    ],
    link: "moved=5.4.3.2.1.0&positions=on",
  },
  codes: {
    gestures: [['[type="range"]', ["ArrowRight"], { cn: "17" }]],
    link: "cn=20",
  },
  waves: {
    gestures: [[".waves-field", ["ArrowRight"], { p: "2" }]],
    link: "wn=250&wdim=48&wbase=777&pairs=1+5+9",
  },
  mix: {
    gestures: [
      ['[name="row-mixWay"]', ["ArrowRight"], { joined: "concatenate" }],
      ['[aria-label="Pairs of dimensions, d/2"]', ["ArrowRight"], { mp: "9" }],
    ],
    link: "joined=concatenate&mp=40&ms=7",
  },
  similarity: {
    gestures: [["#similar-matrix", ["ArrowRight"], { q: "11" }]],
    link: "sn=20&sd=5&sb=99.5",
  },
  relative: {
    gestures: [["#relative-matrix", ["ArrowDown"], { p: "11", q: "1" }]],
    link: "rel=t5&rn=9&buckets=16&far=99&t5=both&heads=12&head=3",
  },
  derive: {
    gestures: [
      ['[name="row-deriveRule"]', ["ArrowRight"], { by: "scale" }],
      [".derive-picture", ["ArrowRight"], { back: "4" }],
    ],
    link: "qv=1,2&key=-1,0.5&deg=-12.5&m=14&back=5&by=rotate",
  },
  pairs: {
    gestures: [[".pick", ["ArrowRight"], { pair: "2" }]],
    link: "rp=7&at5=0,1,-2,0.5,100000&ones=2&rb=500&layout=half&which=1",
  },
  rope: {
    gestures: [['[data-handle="Q0′"]', ["ArrowLeft"], { angles: "11,20,30" }]],
    link: "x=1,2,3,4,5,6&wq=1,2,3,-4&wk=0.5,0,0,1&wv=2,0,0,2&angles=-5,0.5,180&shift=33&values=rotated",
  },
  decay: {
    gestures: [["#decay-score", ["ArrowRight"], { dm: "101" }]],
    link: "dp=32&b1=20000&b2=1000000&qk=random&seed=77&reach=5000&dm=40",
  },
  context: {
    gestures: [
      ['[name="row-contextRule"]', ["ArrowRight"], { rule: "yarn" }],
      [".context-picture", ["ArrowRight"], { i: "41" }],
    ],
    link: "rule=llama3&cp=32&cb=500000&f=4&trained=8192",
  },
  choose: {
    gestures: [['[name="row-chooseFor"]', ["ArrowRight"], { for: "short" }]],
    link: "for=encoder",
  },
  lab: {
    gestures: [
      ['[name="row-labTask"]', ["ArrowRight"], { lt: "order" }],
      ['[data-guess="-"]', ["Enter"], { lg: "order:-" }],
    ],
    link: "lt=pair&le=RoPE.FIRE&lg=pair:-&lx=2",
  },
  patches: {
    gestures: [[".pick", ["ArrowRight", "Enter"], { px: "8", y: "3" }]],
    link: "ph=6&pw=9&pp=4&pb=50&y=1&px=2&y2=4&x2=4",
  },
  mrope: {
    gestures: [[".pick", ["ArrowRight"], { it: "6" }]],
    link: "before=1&after=2&ih=2&iw=5&it=7",
  },
  config: {
    gestures: [
      ['[name="row-configFamily"]', ["ArrowRight"], { model: "gemma3" }],
      ["#config-waves", ["ArrowRight"], { i: "41" }],
    ],
    link: 'model=own&config={"head_dim":+64,+"rope_theta":+5e5}&plan=1&engine=vllm&tokens=65536&cl=9000&other=own&config2={"head_dim":32}',
  },
  precision: {
    gestures: [["#precision-curve", ["Home"], { ax: "1" }]],
    link: "ap=16&ab=300&an=4096&x0=0.01&ax=1000",
  },
};

/** The rows that no panel owns. */
const SHARED = "text=猫+坐+在+%26+100%25+%23垫子&lang=zh&theme=light&p=7&q=8&pair=5&i=9";

const rowsOf = (link) => Object.fromEntries(new URLSearchParams(link));

export const panels = Object.fromEntries(
  Object.entries(ROWS).map(([id, { gestures, link }]) => [id, { gestures, link: rowsOf(link) }]),
);

/** The pages that have figures, by their paths, and their figures in order. */
export const PAGES = ["", "more.html", "tools.html"];
export const panelsOf = (path) => Object.keys(panels).filter((id) => pageOf(id) === path);

/** All rows of the link at once. */
export const everything = Object.assign(rowsOf(SHARED), ...Object.values(panels).map(({ link }) => link));
