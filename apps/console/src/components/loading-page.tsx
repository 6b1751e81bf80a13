import css from './full-page.module.css'

/** While the session resolves or the code of a page arrives (spec §2, Routes). */
export function LoadingPage() {
  return (
    <main id="content" className={css.loading}>
      <h1 className={css.quiet}>Loading</h1>
    </main>
  )
}
