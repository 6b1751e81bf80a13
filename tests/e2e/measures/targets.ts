import type { Page } from '@playwright/test'

/** The smallest side of a target for a finger, in pixels. */
const TARGET_PX = 40

/**
 * Visible controls that a finger hits on fewer than 40 pixels across or down, with that size. A label
 * counts as its input, a link over a card as the card. Links inside a sentence are exempt (WCAG 2.5.8).
 */
export async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(async (least) => {
    // A component with a media query renders in the next frame.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    const scope = [...document.querySelectorAll('[aria-modal="true"]')].at(-1) ?? document.body
    const found = scope.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, [role=option], summary',
    )
    return [...found]
      .filter((element) => isShown(element) && !isInSentence(element))
      .flatMap((element) => {
        element.scrollIntoView({ block: 'center', inline: 'nearest' })
        const box = element.getBoundingClientRect()
        const [x, y] = [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)]
        const width = extent((by) => document.elementFromPoint(x + by, y), element)
        const height = extent((by) => document.elementFromPoint(x, y + by), element)
        return width < least || height < least ? [`${nameOf(element)} ${width}×${height}`] : []
      })

    /** The length of the line through the center that hits the element, counted up to `least`. */
    function extent(hitAt: (by: number) => Element | null, element: HTMLElement): number {
      let [before, after] = [0, 0]
      while (before < least && isPartOf(hitAt(-before), element)) before += 1
      while (before + after - 1 < least && isPartOf(hitAt(after), element)) after += 1
      return before + after - 1
    }

    function isShown(element: HTMLElement): boolean {
      const { width, height } = element.getBoundingClientRect()
      const isVisible = element.checkVisibility({ visibilityProperty: true })
      return isVisible && width > 1 && height > 1 && !element.matches('[href="#content"], [aria-hidden] *')
    }

    function isInSentence(element: HTMLElement): boolean {
      const around = element.parentElement?.closest('p, li, dd, div, output')?.textContent.trim() ?? ''
      return getComputedStyle(element).display === 'inline' && around.length > element.textContent.trim().length
    }

    function isPartOf(hit: Element | null, element: HTMLElement): boolean {
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
      return [element, ...labels].some((part) => part.contains(hit))
    }

    function nameOf(element: HTMLElement): string {
      return `${element.tagName.toLowerCase()} ${element.ariaLabel ?? (element.textContent.trim() || element.id)}`
    }
  }, TARGET_PX)
}
