// Runs before the first paint, so it cannot be a module. Reads the keys of src/lib/storage.ts.

const stored = (key) => {
  try {
    return localStorage.getItem(key)
  } catch {
    // The browser forbids storage. src/main.tsx shows the sentence about it.
    return null
  }
}

// Avoids a flash of the wrong theme.
{
  const chosen = stored('color_scheme')
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}

// Shows the frame of the signed-in pages until the pages have loaded: .frame in src/styles/base.css.
if (stored('admin_token') !== null) {
  const settings = JSON.parse(document.getElementById('console-settings').textContent)
  document.documentElement.dataset.frame = ''
  document.documentElement.style.setProperty('--brand-name', JSON.stringify(settings.brand_name))
}

// The first script or one of its imports is missing: after an update of the server, or a lost connection.
addEventListener(
  'error',
  ({ target }) => {
    const loading = target instanceof HTMLScriptElement && document.querySelector('.loading h1')
    if (loading) loading.textContent = 'The console could not be loaded. Reload the page.'
  },
  // Errors of scripts do not bubble.
  true,
)
