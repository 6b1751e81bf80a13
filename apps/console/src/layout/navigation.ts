import {
  type Icon,
  IconBuilding,
  IconCalendarRepeat,
  IconHome,
  IconKey,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'

/** The entries of the sidebar, in order (spec §2, Layout). `includes`: where one also is when at that address. */
export const NAVIGATION = [
  { to: '/', label: 'Dashboard', Icon: IconHome },
  { to: '/tenants', label: 'Tenants', Icon: IconBuilding },
  { to: '/users', label: 'Users', Icon: IconUsers },
  { to: '/keys', label: 'API Keys', Icon: IconKey },
  { to: '/tasks', label: 'Tasks', Icon: IconCalendarRepeat },
  { to: '/settings', label: 'Settings', Icon: IconSettings, includes: '/advanced-settings' },
] as const satisfies { to: string; label: string; Icon: Icon; includes?: string }[]
