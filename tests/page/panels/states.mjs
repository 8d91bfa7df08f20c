/**
 * Tests need to know this of each panel, in the order of the page: its main gestures by keys (what Tab reaches, with "back"
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
    gestures: [
      ['[name="row-codesRule"]', ["ArrowRight"], { written: "share" }],
      ["#codes-steps", ["ArrowRight"], { p: "2" }],
    ],
    link: "written=bits&cn=20",
  },
  heatmap: {
    gestures: [[".heat-canvas", ["ArrowRight"], { p: "2" }]],
    link: "n=300&d=77&base=500.5&preset=diffusers&order=split&exponent=half&less=0&times=1000&offset=-12.25",
  },
  waves: {
    gestures: [[".waves-field", ["ArrowRight"], { p: "2" }]],
    link: "wn=250&wdim=32&wbase=777&pairs=1+5+9",
  },
  sum: {
    gestures: [
      ['[data-kind="formula"]', ["ArrowRight"], { p: "2" }],
      ['[aria-label="Scale of W"]', ["ArrowRight"], { ws: "1.1" }],
    ],
    link: "source=own&wd=5&ws=2.5",
  },
  mix: {
    gestures: [
      ['[name="row-mixWay"]', ["ArrowRight"], { joined: "concatenate" }],
      ["#mix-curve", ["ArrowRight"], { mp: "16" }],
    ],
    link: "joined=concatenate&mp=40&ms=7",
  },
  similarity: {
    gestures: [["#similar-matrix", ["ArrowRight"], { q: "11" }]],
    link: "sn=20&sd=5&sb=99.5",
  },
  relative: {
    gestures: [["#relative-matrix", ["ArrowRight"], { q: "11" }]],
    link: "rel=learned&rn=9&rk=2&buckets=16&far=99&t5=past&heads=12&head=3&kernel=power&r1=0.5&r2=0.25&biases=1,2,3,4,5,6,7,8,9,10,11,12,13,14,-15",
  },
  score: {
    gestures: [
      ['[data-handle="q"]', ["ArrowUp"], { qv: "1.16,-0.55" }],
      ['[type="range"]', ["ArrowRight"], { slide: "1" }],
    ],
    link: "qv=1,2&key=-1,0.5&deg=-12.5&m=4&to=-3&slide=5",
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
    gestures: [["#decay-bound", ["ArrowRight"], { dm: "101" }]],
    link: "dp=32&b1=20000&b2=1000000&qk=random&seed=77&reach=5000&dm=40",
  },
  patches: {
    gestures: [[".pick", ["ArrowRight", "Enter"], { px: "8", y: "3" }]],
    link: "patches=mixed&ph=6&pw=9&pp=4&pb=50&pseed=7&y=1&px=2&y2=4&x2=4",
  },
  mrope: {
    gestures: [[".pick", ["ArrowRight"], { it: "6" }]],
    link: "before=1&after=2&ih=2&iw=5&it=7",
  },
  context: {
    gestures: [
      ['[name="row-contextRule"]', ["ArrowRight"], { rule: "longrope" }],
      [".pick", ["ArrowRight"], { i: "41" }],
    ],
    link: "rule=llama3&cp=32&cb=500000&f=4&trained=8192",
  },
  lab: {
    gestures: [
      ['[name="row-labTask"]', ["ArrowRight"], { lt: "order" }],
      ['[data-guess="-"]', ["Enter"], { lg: "order:-" }],
    ],
    link: "lt=pair&le=RoPE.FIRE&lg=pair:-&lx=2",
  },
  models: {
    gestures: [['[name="row-modelsBy"]', ["ArrowRight"], { sorted: "base" }]],
    link: "sorted=context",
  },
  config: {
    gestures: [
      ['[name="row-configFamily"]', ["ArrowRight"], { model: "gemma3" }],
      [".pick", ["ArrowRight"], { i: "41" }],
    ],
    link: 'model=own&config={"head_dim":+64,+"rope_theta":+5e5}&plan=1&engine=vllm&tokens=65536&cl=9000&other=own&config2={"head_dim":32}',
  },
  precision: {
    gestures: [["#precision-curve", ["Home"], { ax: "1" }]],
    link: "ap=16&ab=300&an=4096&x0=0.01&ax=1000",
  },
};

/** The rows that no panel owns. */
const SHARED = "text=猫+坐+在+%26+100%25+%23垫子&lang=zh&theme=light&colours=RdBu&p=7&q=8&k=9&pair=5&i=9";

const rowsOf = (link) => Object.fromEntries(new URLSearchParams(link));

export const panels = Object.fromEntries(
  Object.entries(ROWS).map(([id, { gestures, link }]) => [id, { gestures, link: rowsOf(link) }]),
);

/** All rows of the link at once. */
export const everything = Object.assign(rowsOf(SHARED), ...Object.values(panels).map(({ link }) => link));
