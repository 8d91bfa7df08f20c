/** Lists what does not fit into the window, or into its own box. */

/** Elements beyond the right edge of the window, but for those that can be scrolled to; and the page as a whole. */
export const tooWide = (page) =>
  page.evaluate(() => {
    const inScroller = (element) => {
      for (let at = element.parentElement; at; at = at.parentElement)
        if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowX)) return true;
      return false;
    };
    const beyond = [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5 && !inScroller(element))
      .map((element) => `${element.closest("section")?.id}: ${element.outerHTML.slice(0, 80)}`);
    const whole = document.documentElement.scrollWidth - innerWidth;
    return whole > 0 ? [`page: ${whole} px`, ...beyond] : beyond;
  });

/** Formulas that have to be scrolled to be read, which keys cannot do. */
export const scrolledFormulas = (page) =>
  page
    .locator(".formula:visible, .claim-formula:visible")
    .evaluateAll((all) =>
      all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
    );

/** Texts that their own box cuts or that leave it, where it cannot be scrolled. */
export const cut = (page) =>
  page.evaluate(() => {
    const hasText = ({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    // Letters of a tight line leave it by a few pixels above and below.
    const margin = 12;
    const isCut = (element) => {
      const { display, overflowX, overflowY } = getComputedStyle(element);
      // A heading's own link is larger than its line, to be hit.
      const high = element.scrollHeight - element.clientHeight > margin && !element.querySelector(".anchor");
      const wide = element.scrollWidth - element.clientWidth > 1;
      return (
        display !== "inline" && ((wide && !/auto|scroll/.test(overflowX)) || (high && !/auto|scroll/.test(overflowY)))
      );
    };
    return (
      [...document.querySelectorAll("body *")]
        .filter((element) => element.checkVisibility() && !element.closest(".visually-hidden, svg, math *"))
        // Spoken, not shown.
        .filter((element) => element.clientWidth > 1)
        .filter((element) => hasText(element) || element.matches("button"))
        .filter(isCut)
        .map((element) => {
          const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
          const size = `${scrollWidth} x ${scrollHeight} in ${clientWidth} x ${clientHeight}`;
          return `${element.closest("section, article")?.id}: ${size}: ${element.outerHTML.slice(0, 120)}`;
        })
    );
  });
