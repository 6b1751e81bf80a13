import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { FullPage } from '#src/ui/page/full-page.tsx'

/** Page of an unknown URL. */
export function NotFoundPage() {
  return (
    <FullPage
      title="Page not found"
      text="There is no page at this address. The address may be mistyped, or the page may have moved."
    >
      <ButtonLink to="/">Back to the Console</ButtonLink>
    </FullPage>
  )
}
