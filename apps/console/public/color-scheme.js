// Runs before the first paint, so that nobody sees a flash of the other theme; too early for a module.
// It reads what src/session/session.ts stores under the same key.
{
  const chosen = localStorage.getItem('color_scheme')
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}
