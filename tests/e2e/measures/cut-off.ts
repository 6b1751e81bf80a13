import type { Page } from '@playwright/test'

/** From the narrowest phone to a wide desktop. */
export const WIDTHS = [320, 360, 390, 480, 640, 720, 768, 960, 1024, 1100, 1280, 1366, 1440, 1920] as const

/** Rounding of a layout, in pixels. */
const ROUNDING = 1

/**
 * Visible buttons, links and inputs not wholly inside the viewport and all clipping or scrolling ancestors, with the
 * overhang. Vertical scrolling reaches an element, sideways scrolling does not: the page must not scroll sideways.
 */
export async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(async (rounding) => {
    // A component with a media query renders in the next frame.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    const found = document.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, [role=switch]')
    const scroll = document.documentElement.scrollWidth - innerWidth
    const cut = [...found].filter(isShown).flatMap((element) => {
      const box = shownPart(element)
      const ends = clippers(element).map((clipper) => outside(box, clipper))
      const most = Math.max(0, ...ends, box.right - document.documentElement.clientWidth, -box.left)
      return most > rounding ? [`${nameOf(element)} by ${Math.round(most)} px`] : []
    })
    return scroll > 0 ? [...cut, `the page scrolls sideways by ${scroll} px`] : cut

    /** An element for screen readers only, such as a skip link, is not shown. */
    function isShown(element: HTMLElement): boolean {
      const { width, height } = element.getBoundingClientRect()
      const isVisible = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      return isVisible && width > 1 && height > 1 && !element.matches('[href="#content"]') && !isInTabRow(element)
    }

    /** The tabs of a narrow screen scroll sideways in their row, as its cut last tab shows. */
    function isInTabRow(element: HTMLElement): boolean {
      const row = element.closest('nav')
      return row !== null && getComputedStyle(row).overflowX === 'auto' && row.scrollWidth > row.clientWidth
    }

    /** The box of an element. A long name ends at an ellipsis of its text, inside the box of the text. */
    function shownPart(element: HTMLElement): DOMRect {
      const box = element.getBoundingClientRect()
      const text = element.parentElement
      if (text === null || getComputedStyle(text).textOverflow !== 'ellipsis') return box
      const around = text.getBoundingClientRect()
      const left = Math.max(box.left, around.left)
      return new DOMRect(left, box.top, Math.min(box.right, around.right) - left, box.height)
    }

    function clippers(element: HTMLElement): HTMLElement[] {
      const all: HTMLElement[] = []
      let isFixed = getComputedStyle(element).position === 'fixed'
      for (let at = element.parentElement; at !== null && at !== document.body && !isFixed; at = at.parentElement) {
        const { overflowX, overflowY, textOverflow, position } = getComputedStyle(at)
        // A long name ends in an ellipsis and can still be pressed.
        if ((overflowX !== 'visible' || overflowY !== 'visible') && textOverflow !== 'ellipsis') all.push(at)
        isFixed = position === 'fixed'
      }
      return all
    }

    function outside(box: DOMRect, clipper: HTMLElement): number {
      const around = clipper.getBoundingClientRect()
      const { overflowX, overflowY } = getComputedStyle(clipper)
      const sideways = overflowX === 'visible' ? 0 : Math.max(around.left - box.left, box.right - around.right)
      const isClipped = overflowY === 'hidden' || overflowY === 'clip'
      const upright = isClipped ? Math.max(around.top - box.top, box.bottom - around.bottom) : 0
      return Math.max(sideways, upright)
    }

    function nameOf(element: HTMLElement): string {
      const label = element.ariaLabel ?? element.textContent.trim()
      return `${element.tagName.toLowerCase()} ${label || element.id || element.getAttribute('name')}`
    }
  }, ROUNDING)
}

/** The texts of table cells whose end is hidden and in no tooltip. */
export async function cutCells(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    const cells = [...document.querySelectorAll('main :is(td, th)')].filter((cell) => cell.checkVisibility())
    return cells
      .flatMap((cell) => [cell, ...cell.querySelectorAll('*')])
      .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 1)
      .filter((part) => (part.matches('td, th') || getComputedStyle(part).overflowX !== 'visible') && !hasTooltip(part))
      .map((part) => `${part.tagName} ${part.textContent}`)

    function hasTooltip(part: Element): boolean {
      return part.closest('[data-tooltip]') !== null || part.querySelector('[data-tooltip="cut"]') !== null
    }
  })
}
