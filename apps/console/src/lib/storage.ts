// The only file that uses local storage. Mantine stores the color scheme itself, under the key `COLOR_SCHEME_KEY`.

/** Also read by public/early.js. */
export const COLOR_SCHEME_KEY = 'color_scheme'

/** The access token. The key is also read by public/early.js. */
export const storedToken = entry('admin_token')

/** Id of the last signed-in user, until a sign-out. After an expired session, only this user returns to the page. */
export const storedUserId = entry('last_admin')

/** Ids of the records and commands that the admin used last in the palette, until a sign-out. */
export const storedRecent = entry('palette_recent')

/** Set when the single-key shortcuts are off on this device. */
export const storedKeysOff = entry('single_keys_off')

/** Set when the first steps are hidden on this device. */
export const storedFirstStepsHidden = entry('first_steps_hidden')

/** The chosen columns of a list on this device, by its title. */
export function storedColumns(list: string) {
  return entry(`columns ${list}`)
}

/** Whether this browser stores anything. It may forbid all site data, or allow a private window no space. */
export function isStorageAllowed(): boolean {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      storage.setItem('probe', '')
      storage.removeItem('probe')
    }
    return true
  } catch {
    // Forbidden storage already throws when it is read.
    return false
  }
}

function entry(key: string) {
  return {
    get: () => localStorage.getItem(key),
    set: (value: string) => localStorage.setItem(key, value),
    remove: () => localStorage.removeItem(key),
    /** Calls the listener when another tab changes the entry. */
    onChange: (listener: () => void) =>
      window.addEventListener('storage', (event) => {
        // A null key means that another tab cleared the storage.
        if (event.key === key || event.key === null) listener()
      }),
  }
}
