import css from './external-link.module.css'

/** A link in a sentence, which leaves the console in a new tab. Without an address, the plain text. */
export function ExternalLink({ href, text }: { href: string | null; text: string }) {
  if (href === null) return text
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={css.link}>
      {text}
    </a>
  )
}
