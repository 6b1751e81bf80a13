/** Shown while the session or the code of a page loads. The same text as in index.html. */
export function LoadingPage() {
  return (
    <main id="content" className="loading">
      <h1>Loading</h1>
    </main>
  )
}
