/** While the session resolves or the code of a page arrives (spec §2, Routes). index.html says the same until then. */
export function LoadingPage() {
  return (
    <main id="content" className="loading">
      <h1>Loading</h1>
    </main>
  )
}
