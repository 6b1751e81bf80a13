// Runs before the first paint and before the modules have come; too early to be one.
// It reads what src/session/session.ts stores under the same keys.

// So that nobody sees a flash of the other theme.
{
  const chosen = localStorage.getItem('color_scheme')
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}

// So that the files of the page come beside those of all pages, not after them. Who has no token gets to /login.
{
  const { pages = [], files = [] } = JSON.parse(document.getElementById('first-files').textContent)
  const parts = (localStorage.getItem('admin_token') === null ? '/login' : location.pathname).split('/')
  const isHere = ({ path }) => {
    const asked = path.split('/')
    return asked.length === parts.length && asked.every((part, n) => part.startsWith('$') || part === parts[n])
  }
  for (const index of pages.find(isHere)?.files ?? []) {
    const file = files[index]
    const link = document.createElement('link')
    link.href = file
    link.crossOrigin = ''
    if (file.endsWith('.css')) {
      link.rel = 'preload'
      link.as = 'style'
    } else link.rel = 'modulepreload'
    document.head.append(link)
  }
}
