import type { UserResult, ApiKeyResult, TenantResult, SearchResults } from '@switchboard/contract/palette'
import type { MantineColorScheme } from '@mantine/core'
import {
  type Icon,
  IconBuilding,
  IconCalendarPlus,
  IconDeviceDesktop,
  IconFileText,
  IconHistory,
  IconHomePlus,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react'
import { ROLE_LABELS } from '#src/users/user-labels.ts'
import { maskedSecret } from '#src/api-keys/api-key-labels.ts'
import { NAVIGATION } from '#src/layout/navigation.ts'
import { stringifySearch } from '#src/lists/list-search.ts'
import { signOut } from '#src/auth/session.api.ts'

/** An entry of the palette: a link or an action. */
export type Entry = {
  id: string
  label: string
  hint?: string
  Icon: Icon
  /** Synonyms for the search; not shown. */
  synonyms?: string
  /** A search result of the server. */
  isFound?: true
} & ({ href: string } | { run: () => void })

/** Entries under one heading. */
export type Group = { heading: string; entries: Entry[] }

const SCREENS: Entry[] = [
  ...NAVIGATION.map(({ to, label, Icon }) => ({ id: to, label, Icon, href: to })),
  {
    id: 'prompt',
    label: 'Base Templates',
    Icon: IconFileText,
    synonyms: 'advanced settings prompt',
    href: '/advanced-settings',
  },
  {
    id: 'activity',
    label: 'Activity',
    Icon: IconHistory,
    synonyms: 'audit log history',
    href: '/settings/activity',
  },
]

type Handlers = { openHelp: () => void; setColorScheme: (scheme: MantineColorScheme) => void }

function actions({ openHelp, setColorScheme }: Handlers): Entry[] {
  return [
    {
      id: 'new-tenant',
      label: 'New Tenant',
      Icon: IconHomePlus,
      synonyms: 'create add client',
      href: '/tenants/create',
    },
    { id: 'new-user', label: 'New User', Icon: IconUserPlus, synonyms: 'create add admin', href: '/users/create' },
    {
      id: 'new-task',
      label: 'New Task',
      Icon: IconCalendarPlus,
      synonyms: 'create add schedule google reviews',
      href: '/tasks/create',
    },
    {
      id: 'light',
      label: 'Light theme',
      Icon: IconSun,
      synonyms: 'color scheme appearance',
      run: () => setColorScheme('light'),
    },
    {
      id: 'dark',
      label: 'Dark theme',
      Icon: IconMoon,
      synonyms: 'color scheme appearance night',
      run: () => setColorScheme('dark'),
    },
    {
      id: 'system',
      label: 'Use system theme',
      Icon: IconDeviceDesktop,
      synonyms: 'color scheme auto',
      run: () => setColorScheme('auto'),
    },
    { id: 'keys-help', label: 'Keyboard shortcuts', Icon: IconKeyboard, synonyms: 'help keys', run: openHelp },
    { id: 'sign-out', label: 'Sign out', Icon: IconLogout, synonyms: 'log out leave', run: signOut },
  ]
}

/** Screens and actions that contain every word of the term, and the server's results, without empty groups. */
export function groupsOf(term: string, found: SearchResults | undefined, handlers: Handlers): Group[] {
  const words = term.toLowerCase().split(/\s+/)
  const matching = (entries: Entry[]) =>
    entries.filter((entry) => {
      const text = `${entry.label} ${entry.synonyms ?? ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
  return [
    { heading: 'Screens', entries: matching(SCREENS) },
    { heading: 'Actions', entries: matching(actions(handlers)) },
    { heading: 'Tenants', entries: (found?.tenants ?? []).map(tenantEntry) },
    { heading: 'Users', entries: (found?.users ?? []).map(userEntry) },
    { heading: 'API keys', entries: (found?.api_keys ?? []).map(apiKeyEntry) },
  ].filter(({ entries }) => entries.length > 0)
}

function tenantEntry({ id, name, subdomain, status }: TenantResult): Entry {
  const hint = status === 'active' ? subdomain : `${subdomain} · Inactive`
  return {
    isFound: true,
    id,
    label: name,
    hint,
    Icon: IconBuilding,
    href: `/tenants${stringifySearch({ q: subdomain })}`,
  }
}

function userEntry({ id, email, role, tenant_name, is_active }: UserResult): Entry {
  const hint = [ROLE_LABELS[role], tenant_name, !is_active && 'Inactive'].filter(Boolean).join(' · ')
  return { isFound: true, id, label: email, hint, Icon: IconUser, href: `/users${stringifySearch({ q: email })}` }
}

/** Opens the key. */
function apiKeyEntry(key: ApiKeyResult): Entry {
  const state = key.revoked_at !== null ? 'Revoked' : !key.is_active && 'Inactive'
  const hint = [maskedSecret(key), key.tenant_name, state].filter(Boolean).join(' · ')
  return {
    isFound: true,
    id: key.id,
    label: key.name,
    hint,
    Icon: IconKey,
    href: `/keys${stringifySearch({ key: key.id })}`,
  }
}
