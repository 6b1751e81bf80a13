import { use } from 'react'
import { IsTab } from '#src/ui/page/is-tab.ts'

/** Shown while the session or the code of a page loads. The same text as in index.html. */
export function LoadingPage() {
  if (use(IsTab)) return <p>Loading</p>
  return (
    <main id="content" className="loading">
      <h1>Loading</h1>
    </main>
  )
}
