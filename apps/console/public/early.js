// Runs before the first paint and before the modules have come; too early to be one.
// It reads what src/session/session.ts stores under the same keys.

// So that nobody sees a flash of the other theme.
{
  const chosen = localStorage.getItem('color_scheme')
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}

const isSignedIn = localStorage.getItem('admin_token') !== null
const blockOf = (id) => JSON.parse(document.getElementById(id).textContent)

// So that the frame of the signed-in pages stands before they come: .frame of src/styles/base.css.
if (isSignedIn) {
  document.documentElement.dataset.frame = ''
  document.documentElement.style.setProperty('--brand-name', JSON.stringify(blockOf('console-settings').brand_name))
}

// So that the files of the page come beside those of all pages, not after them. Who has no token gets to /login.
{
  const { pages = [], files = [] } = blockOf('first-files')
  const parts = (isSignedIn ? location.pathname : '/login').split('/')
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
