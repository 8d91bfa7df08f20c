import { html, nothing, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import type { Frames } from "../../core/frames";
import { lost } from "../../core/lazy";
import type { Layout } from "./axes";
import type { Closer } from "./closer";
import type { Encoding } from "./encoding";
import type { Table } from "./table";

type Program = typeof import("./closer");

/** The text below the figure, once everything above it is drawn. */
let texts: Program["texts"] | undefined;
export const outro = (language: keyof Program["texts"]) => texts?.[language].outro();

/** The parts below the picture: numbers, magnified cells, and a sentence about the picture. */
interface Parts {
  readonly zoom: TemplateResult | typeof nothing;
  readonly readout: TemplateResult | typeof nothing;
  readonly cells: TemplateResult | typeof nothing;
  readonly description: string;
}

/** It is drawn in stages, one a frame: all at once would take too long for one. */
const stages = { zoom: 0, readout: 1, cells: 2, options: 3 };

/** Shows what is below the picture, fetched once that is drawn: the close-up and the numbers. */
export class Below {
  private parts: Parts = { zoom: nothing, readout: nothing, cells: nothing, description: "" };
  private closer: Closer | undefined;
  private program: Program | undefined;
  private stage = stages.zoom;
  private isFetching = false;
  private problem = "";

  constructor(
    private readonly element: HTMLElement,
    private readonly encoding: Encoding,
    private readonly table: Table,
    private readonly frames: Frames,
    private readonly pe: Posenc,
  ) {}

  private readonly fetch = (): void => {
    const canvas = this.element.querySelector<HTMLCanvasElement>(".heat-canvas");
    if (this.closer || this.isFetching || this.problem || !canvas) return;
    this.isFetching = true;
    const { encoding, table, frames, pe } = this;
    import("./closer")
      .then(
        (program) => {
          this.program = program;
          this.closer = program.closer({ pe, encoding, table, canvas, frames });
        },
        (error) => {
          this.problem = String(error);
        },
      )
      .finally(() => {
        this.isFetching = false;
        frames.requestUnseen();
      });
  };

  private readonly again = (): void => {
    this.problem = "";
    this.fetch();
  };

  /** Returns what updates the parts, one step a part: each may be done in a frame of its own. */
  updates(width: number, description: string): (() => void)[] {
    const { closer, stage } = this;
    const next: Partial<Parts>[] = [
      {
        zoom: closer?.zoom() ?? nothing,
        readout: closer && stage >= stages.readout ? closer.readout() : nothing,
      },
      { cells: closer && stage >= stages.cells ? closer.cells(width > 760 ? width * 0.58 : width) : nothing },
      { description },
    ];
    return next.map((part) => () => {
      this.parts = { ...this.parts, ...part };
    });
  }

  get description(): string {
    return this.parts.description;
  }

  /** The settings that few need. */
  get options(): TemplateResult | typeof nothing {
    return (this.stage >= stages.options && this.closer?.options()) || nothing;
  }

  /** The buttons right below the picture. */
  get zoom(): TemplateResult | typeof nothing {
    return this.parts.zoom;
  }

  /** The numbers below the controls; until it is fetched, an empty place of its size. */
  get content(): TemplateResult {
    const { readout, cells } = this.parts;
    if (this.problem) return lost(this.problem, this.again);
    return html`<div class=${cells === nothing ? "heat-numbers waiting" : "heat-numbers"}>
      ${readout}
      <div class="lens-box">${cells}</div>
    </div>`;
  }

  /** To be called after the rest of the panel is drawn. */
  drawn(layout: Layout): void {
    if (this.program && !texts) {
      // The text comes last: it is below everything else.
      if (this.stage === stages.options) texts = this.program.texts;
      else {
        this.stage++;
        this.frames.requestUnseen();
      }
    }
    this.closer?.drawn(layout);
    this.fetch();
  }

  svg(): string {
    if (!this.closer) throw new Error(this.problem || "too early");
    return this.closer.svg(this.element);
  }

  destroy(): void {
    this.closer?.destroy();
  }
}
