import { html } from "lit-html";
import { display, frac, math, row, sub, sup } from "../../../draw/math";

const power = sup("b", row("2", "i", "/", "d"));

export const en = {
  outro: () => html`
    <p>
      Each pair of dimensions has the sine and the cosine of one wave, and from pair to pair the waves grow longer, as
      in the original 2017 Transformer:
    </p>
    ${display(row("PE", "(", "p", ",", row("2", "i"), ")", "=", "sin", frac("p", power)))}
    ${display(row("PE", "(", "p", ",", row("2", "i", "+", "1"), ")", "=", "cos", frac("p", power)))}
    <p>
      Here ${math("p")} is the position, ${math("d")} the number of dimensions and ${math("b")} the base, usually 10000.
    </p>
    <p>
      <strong>What to look for.</strong> The top rows change fast: their waves repeat after about six positions
      (${math("2", "π", ",")} to be exact). Further down they stretch, and the lowest rows hardly change over the whole
      picture. It is the trick of a clock: a fast hand distinguishes neighbours, slow hands far positions. Lower the
      base and even the slow hands begin to move; order “split” shows the same waves with all sines above all cosines.
    </p>
    <details>
      <summary>How the picture is drawn</summary>
      <p>
      A picture has fewer pixels than a long table has cells. Each pixel then shows a weighted mean of the cells it covers, so a
      fast wave fades to the pale middle colour instead of drawing stripes that are not in the numbers. Where several dimensions share a pixel, sines are drawn above cosines: a mean of
      both would be a value that neither has.
      </p>
    </details>
    <details>
      <summary>Why one frequency per pair?</summary>
      <p>
        With sine and cosine of the same frequency ${math(sub("ω", "i"), ",")} moving on by ${math("k")} positions is a rotation of
        the pair by ${math("k", sub("ω", "i"), ",")} whatever the position was. A model can learn such a rotation as a fixed
        linear map, and so it can reach for “three words back”.
      </p>
    </details>
  `,
  offset: "First position",
  timeScale: "Positions times",
  exponent: "Exponent",
  exponents: { paper: "2i/d (the paper)", "double-stepped": "4i/d (stepped twice)", half: "i/(d/2 − s)" },
  hint: "Positions are exact up to two billion and may be negative or fractional. With i/(d/2 − s), s = 1 makes the last wave exactly 2πb positions long, as in tensor2tensor, Whisper, diffusers and MLX. The exponent 4i/d is a common mistake: a loop that already counts in twos doubles once more, and half of the slow waves become too slow to see. The diffusion timestep of Stable Diffusion is diffusers with cosines first and s = 0.",
  position: "Position",
  index: "Column (from 0)",
  dimension: "Dimension",
  empty: "always 0",
  omega: "Frequency ω, radians per position",
  lambda: "Wavelength 2π/ω, positions",
};
