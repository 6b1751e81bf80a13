import { IconSearch } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { Brand } from '#src/ui/page/brand.tsx'
import { signOut } from '#src/auth/session.api.ts'
import { zoneText } from '#src/lib/format/moment.ts'
import { useSession } from '#src/lib/session.ts'
import { ColorSchemeSwitch } from '#src/ui/theme/color-scheme-switch.tsx'
import { NAVIGATION } from '#src/navigation.ts'
import { PALETTE_KEYS_TEXT } from './shortcuts.ts'
import css from './sidebar.module.css'

/** Brand, navigation, color scheme and account. On a phone, in the slide-out menu. */
export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <div className={css.sidebar}>
      <Link to="/" className={css.brand}>
        <Brand />
      </Link>
      <button type="button" className={css.search} aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
        <IconSearch size={16} stroke={1.75} aria-hidden />
        Search
        <span className={css.keys} aria-hidden>
          {PALETTE_KEYS_TEXT.join(' ')}
        </span>
      </button>
      <nav className={css.entries} aria-label="Main">
        {NAVIGATION.map((entry) => (
          <Link
            key={entry.to}
            to={entry.to}
            className={css.entry}
            // Every path begins with "/".
            activeOptions={{ exact: entry.to === '/', includeSearch: false }}
            {...('includes' in entry && path.startsWith(entry.includes) && { 'aria-current': 'true' })}
          >
            <entry.Icon size={18} stroke={1.75} aria-hidden />
            {entry.label}
          </Link>
        ))}
      </nav>
      <div className={css.bottom}>
        <ColorSchemeSwitch />
        <p className={css.zone}>Times are in {zoneText()}</p>
        <Account />
      </div>
    </div>
  )
}

function Account() {
  const session = useSession()
  if (session.kind !== 'authenticated') return null
  const { email } = session.admin
  return (
    <div className={css.account}>
      <div className={css.avatar} aria-hidden>
        {initials(email)}
      </div>
      <div className={css.who}>
        <div className={css.email} data-tooltip="cut">
          {email}
        </div>
        <button type="button" className={css.signOut} onClick={signOut}>
          Sign out
        </button>
      </div>
    </div>
  )
}

/** "AL" for ada.lovelace@…, "AD" for admin@…. */
function initials(email: string): string {
  const [first = '', second = ''] = email.split('@')[0]?.split(/[._+-]+/) ?? []
  return (second === '' ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)).toUpperCase()
}
