import type { Capability } from '@switchboard/contract/auth/capabilities'
import {
  type Icon,
  IconBroadcast,
  IconBuilding,
  IconCalendarRepeat,
  IconHistory,
  IconHome,
  IconKey,
  IconMessage2,
  IconServer,
  IconSettings,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'

/** `key`: second key of the shortcut "g …". `capability`: for the roles that have it. `hint`, `synonyms`: of the palette. */
export type NavigationEntry = {
  to: string
  label: string
  key: string
  Icon: Icon
  capability?: Capability
  hint?: string
  synonyms?: string
  /** Addresses of further pages of the entry. */
  tabs?: readonly string[]
}

/** The first entries of the sidebar, in order: what the console manages, and the settings. */
export const MAIN_ENTRIES = [
  { to: '/', label: 'Dashboard', key: 'd', Icon: IconHome },
  { to: '/tenants', label: 'Tenants', key: 't', Icon: IconBuilding },
  { to: '/users', label: 'Users', key: 'u', Icon: IconUsers },
  { to: '/keys', label: 'API Keys', key: 'k', Icon: IconKey },
  { to: '/tasks', label: 'Tasks', key: 's', Icon: IconCalendarRepeat },
  { to: '/settings', label: 'Settings', key: ',', Icon: IconSettings },
] as const satisfies NavigationEntry[]

/** The entries below "Console" in the sidebar: the console itself. */
export const CONSOLE_ENTRIES = [
  {
    to: '/settings/activity',
    label: 'Activity',
    key: 'a',
    Icon: IconHistory,
    capability: 'view',
    synonyms: 'audit log history',
  },
  {
    to: '/settings/webhooks',
    label: 'Signals',
    key: 'w',
    Icon: IconBroadcast,
    capability: 'view',
    synonyms:
      'webhooks events deliveries slack teams alerts rules notifications log shipping sinks syslog opentelemetry siem',
    tabs: ['/settings/alerts', '/settings/log-shipping'],
  },
  {
    to: '/settings/team',
    label: 'Team',
    key: 'm',
    Icon: IconUsersGroup,
    capability: 'team',
    synonyms: 'members roles people super admins support auditors invitations',
  },
  {
    to: '/advanced-settings',
    label: 'Prompt',
    key: 'p',
    Icon: IconMessage2,
    capability: 'view',
    hint: 'Base Templates',
    synonyms: 'base templates advanced settings',
  },
  {
    to: '/settings/system',
    label: 'System',
    key: 'y',
    Icon: IconServer,
    capability: 'system',
    synonyms: 'health status version database worker backup mail settings',
  },
] as const satisfies NavigationEntry[]

/** Every entry of the sidebar. */
export const NAVIGATION = [...MAIN_ENTRIES, ...CONSOLE_ENTRIES] as const

export type SettingsPageEntry = { to: string; label: string; synonyms: string; capability?: Capability }

/** The pages of the settings, by group. */
export const SETTINGS_PAGES = [
  {
    heading: 'Your account',
    pages: [
      { to: '/settings', label: 'Profile', synonyms: 'email name password theme time zone account' },
      {
        to: '/settings/security',
        label: 'Security',
        synonyms: 'second factor authenticator passkey recovery codes sign-ins mfa 2fa',
      },
      { to: '/settings/sessions', label: 'Sessions', synonyms: 'devices signed in sign out everywhere' },
    ],
  },
  {
    heading: 'Platform',
    pages: [{ to: '/settings/tokens', label: 'Tokens', capability: 'tokens', synonyms: 'service tokens api programs' }],
  },
] as const satisfies { heading: string; pages: SettingsPageEntry[] }[]

/** The entry of the sidebar that a path belongs to: the longest address that the path begins with. */
export function entryOf(path: string): (typeof NAVIGATION)[number] | undefined {
  return NAVIGATION.flatMap((entry) => [entry.to, ...tabsOf(entry)].map((to) => ({ entry, to })))
    .filter(({ to }) => path === to || (to !== '/' && path.startsWith(`${to}/`)))
    .toSorted((one, other) => other.to.length - one.to.length)[0]?.entry
}

function tabsOf({ tabs = [] }: NavigationEntry): readonly string[] {
  return tabs
}
