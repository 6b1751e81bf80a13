import { IconSearch } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { Brand } from '#src/ui/page/brand.tsx'
import { signOut } from '#src/auth/session.api.ts'
import { useAllowed } from '#src/lib/can.ts'
import { useSession } from '#src/lib/session.ts'
import { CONSOLE_ENTRIES, entryOf, MAIN_ENTRIES, type NavigationEntry } from '#src/navigation.ts'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { PALETTE_KEYS_TEXT } from './shortcuts.ts'
import css from './sidebar.module.css'

/** Brand, bell, search, navigation and account. On a phone without the bell, in the slide-out menu. */
export function Sidebar({ bell, onSearch }: { bell?: ReactNode; onSearch: () => void }) {
  const allowed = useAllowed()
  const heading = useId()
  return (
    <div className={css.sidebar}>
      <div className={css.head}>
        <Link to="/" className={css.brand}>
          <Brand />
        </Link>
        {bell}
      </div>
      <button type="button" className={css.search} aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
        <IconSearch size={16} stroke={1.75} aria-hidden />
        Search
        <span className={css.keys} aria-hidden>
          {PALETTE_KEYS_TEXT.join(' ')}
        </span>
      </button>
      <nav aria-label="Main">
        <Entries entries={MAIN_ENTRIES} />
        <p id={heading} className={css.heading}>
          Console
        </p>
        <Entries entries={allowed<NavigationEntry>(CONSOLE_ENTRIES)} labelledBy={heading} />
      </nav>
      <Account />
    </div>
  )
}

function Entries({ entries, labelledBy }: { entries: readonly NavigationEntry[]; labelledBy?: string }) {
  const current = useLocation({ select: ({ pathname }) => entryOf(pathname)?.to })
  return (
    <ul className={css.entries} aria-labelledby={labelledBy}>
      {entries.map(({ to, label, Icon }) => (
        <li key={to}>
          <Link
            to={to}
            className={css.entry}
            activeOptions={{ exact: true, includeSearch: false }}
            {...(to === current && { 'aria-current': 'page' })}
          >
            <Icon size={18} stroke={1.75} aria-hidden />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Account() {
  const session = useSession()
  if (session.kind !== 'authenticated') return null
  const { email, role } = session.admin
  const [account, domain] = email.split(/(?=@)/)
  return (
    <div className={css.account}>
      {/* A long address breaks before the "@". */}
      <div className={css.email}>
        {account}
        <wbr />
        {domain}
      </div>
      <div className="ink-3">{ROLE_LABELS[role]}</div>
      <button type="button" className={css.signOut} onClick={signOut}>
        Sign out
      </button>
    </div>
  )
}
