import { IconBuilding, IconSettings, IconUsers } from '@tabler/icons-react'

/** The entries of the sidebar, in order (spec §2, Layout). */
export const NAVIGATION = [
  { to: '/tenants', label: 'Tenants', Icon: IconBuilding },
  { to: '/users', label: 'Users', Icon: IconUsers },
  { to: '/settings', label: 'Settings', Icon: IconSettings },
] as const
