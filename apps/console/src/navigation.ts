import {
  type Icon,
  IconBuilding,
  IconCalendarRepeat,
  IconHome,
  IconKey,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'

/**
 * Entries of the sidebar, in order. `key`: second key of the shortcut "g …"; `includes`: further paths with this
 * entry as the current one.
 */
export const NAVIGATION = [
  { to: '/', label: 'Dashboard', key: 'd', Icon: IconHome },
  { to: '/tenants', label: 'Tenants', key: 't', Icon: IconBuilding },
  { to: '/users', label: 'Users', key: 'u', Icon: IconUsers },
  { to: '/keys', label: 'API Keys', key: 'k', Icon: IconKey },
  { to: '/tasks', label: 'Tasks', key: 's', Icon: IconCalendarRepeat },
  { to: '/settings', label: 'Settings', key: ',', Icon: IconSettings, includes: '/advanced-settings' },
] as const satisfies { to: string; label: string; key: string; Icon: Icon; includes?: string }[]
