import { useDocumentTitle } from '@mantine/hooks'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { consoleSettings } from '#src/lib/console-settings.ts'
import css from '#src/ui/page/full-page.module.css'

/** Page of an unknown URL. */
export function NotFoundPage() {
  useDocumentTitle(`Page not found · ${consoleSettings.brand_name}`)
  return (
    <main id="content" className={css.page} tabIndex={-1}>
      <h1 className={css.title}>Page not found</h1>
      <p className={css.text}>
        There is no page at this address. The address may be mistyped, or the page may have moved.
      </p>
      <div className={css.actions}>
        <ButtonLink to="/">Back to the console</ButtonLink>
      </div>
    </main>
  )
}
