import { consoleSettings } from '#src/lib/console-settings.ts'
import css from './brand.module.css'

/** The mark, the product's name and "Admin console". */
export function Brand() {
  return (
    <div className={css.brand}>
      <BrandMark />
      <div>
        <div className="heading">{consoleSettings.brand_name}</div>
        <div className={css.role}>Admin console</div>
      </div>
    </div>
  )
}

/** Two jacks joined by a cord; public/favicon.svg is the same drawing. */
function BrandMark() {
  return (
    <svg className={css.mark} viewBox="0 0 28 28" aria-hidden>
      <rect width="28" height="28" rx="7" fill="currentColor" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="2" strokeLinecap="round">
        <circle cx="9.5" cy="9.5" r="2.6" />
        <circle cx="18.5" cy="18.5" r="2.6" />
        <path d="M12.1 9.5h2.4a2 2 0 0 1 2 2v2.4a2 2 0 0 0 2 2" />
      </g>
    </svg>
  )
}
