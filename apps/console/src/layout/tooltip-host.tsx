import { useEffect, useRef } from 'react'
import css from './tooltip-host.module.css'

const SHOW_AFTER_MS = 350
const HIDE_AFTER_MS = 80
const GAP_PX = 6
const LINE_PX = 18
/** Elements with a click action. */
const CLICKABLE = 'a, input, button:not([aria-disabled="true"])'

/**
 * The tooltip of every element with `data-tooltip`: on hover, on keyboard focus, and on tap for elements without a
 * click action. `data-tooltip="cut"` shows the element's text if the text is truncated. Hidden from screen readers,
 * because the element's name or text has the same content. A popover, so that the tooltip is above dialogs.
 */
export function TooltipHost() {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => (host.current ? followPointer(host.current) : undefined), [])
  return <div ref={host} className={css.tooltip} popover="manual" aria-hidden />
}

function followPointer(tooltip: HTMLElement): () => void {
  let timer = 0
  let shownOwner: Element | undefined
  const stop = new AbortController()

  function schedule(action: () => void, afterMs: number) {
    clearTimeout(timer)
    timer = window.setTimeout(action, afterMs)
  }
  const hide = () => tooltip.hidePopover()
  const isOpen = () => tooltip.matches(':popover-open')

  function enter(target: EventTarget | null, afterMs: number) {
    if (!(target instanceof Element)) return
    if (tooltip.contains(target)) return clearTimeout(timer)
    const owner = target.closest('[data-tooltip]')
    const text = owner ? textFor(owner) : ''
    if (owner === null || text === '') return schedule(hide, HIDE_AFTER_MS)
    schedule(() => show(owner, text), isOpen() ? 0 : afterMs)
  }

  function show(owner: Element, text: string) {
    if (!owner.isConnected) return
    shownOwner = owner
    tooltip.textContent = text
    tooltip.showPopover()
    placeBeside(tooltip, owner)
  }

  /** Focusing may scroll the page, so the tooltip of a focused element stays with the element. */
  function follow() {
    if (!isOpen()) return
    if (shownOwner?.matches(':focus-visible') === true) placeBeside(tooltip, shownOwner)
    else schedule(hide, 0)
  }

  const on = { signal: stop.signal }
  document.addEventListener(
    'pointerover',
    (event) => event.pointerType === 'mouse' && enter(event.target, SHOW_AFTER_MS),
    on,
  )
  document.addEventListener(
    'focusin',
    (event) => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) enter(event.target, 0)
    },
    on,
  )
  document.addEventListener(
    'click',
    (event) => {
      if (event.target instanceof Element && !event.target.closest(CLICKABLE)) enter(event.target, 0)
    },
    on,
  )
  document.addEventListener('focusout', () => schedule(hide, 0), on)
  document.addEventListener('pointerdown', () => schedule(hide, 0), on)
  document.addEventListener('scroll', follow, { ...on, capture: true, passive: true })
  document.addEventListener('keydown', (event) => event.key === 'Escape' && schedule(hide, 0), on)
  return () => {
    stop.abort()
    clearTimeout(timer)
  }
}

function textFor(owner: Element): string {
  const text = owner.getAttribute('data-tooltip') ?? ''
  if (text !== 'cut') return text
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = owner
  const isCut = scrollWidth > clientWidth || scrollHeight > clientHeight + LINE_PX / 2
  return isCut ? (owner.textContent ?? '') : ''
}

function placeBeside(tooltip: HTMLElement, owner: Element): void {
  const at = owner.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = tooltip
  const above = at.top - height - GAP_PX
  const left = Math.min(Math.max(at.left + at.width / 2 - width / 2, 8), window.innerWidth - width - 8)
  tooltip.style.left = `${left}px`
  tooltip.style.top = `${above >= 8 ? above : at.bottom + GAP_PX}px`
}
