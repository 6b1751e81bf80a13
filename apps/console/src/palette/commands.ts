import type { MantineColorScheme } from '@mantine/core'
import {
  IconCalendarPlus,
  IconDeviceDesktop,
  IconFileText,
  IconHistory,
  IconHomePlus,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlayerPlay,
  IconServer,
  IconSun,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react'
import { signOut } from '#src/auth/session.api.ts'
import { NAVIGATION } from '#src/navigation.ts'
import { allowed } from '#src/lib/can.ts'
import type { Entry } from './entry.ts'

/** The screens without a record. */
const SCREENS: Entry[] = [
  ...NAVIGATION.map(({ to, label, Icon }) => ({ id: to, label, Icon, href: to })),
  {
    id: 'runs',
    label: 'Runs',
    Icon: IconPlayerPlay,
    synonyms: 'all runs of tasks failed retry',
    href: '/tasks/runs',
  },
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
  {
    id: 'team',
    label: 'Team',
    Icon: IconUsersGroup,
    synonyms: 'members roles people super admins support auditors',
    href: '/settings/team',
    capability: 'team' as const,
  },
  {
    id: 'system-page',
    label: 'System',
    Icon: IconServer,
    synonyms: 'health status version database worker backup mail settings',
    href: '/settings/system',
    capability: 'system' as const,
  },
].map((screen) => ({ ...screen, recentId: screen.id }))

/** The screens that the role of the signed-in admin allows. */
export function screens(): Entry[] {
  return allowed(SCREENS)
}

export type Handlers = { openHelp: () => void; setColorScheme: (scheme: MantineColorScheme) => void }

/** Commands without a record that the role of the signed-in admin allows. */
export function commands({ openHelp, setColorScheme }: Handlers): Entry[] {
  const remembered: Entry[] = [
    {
      id: 'new-tenant',
      label: 'New Tenant',
      Icon: IconHomePlus,
      synonyms: 'create add client',
      href: '/tenants/create',
      capability: 'edit',
    },
    {
      id: 'new-user',
      label: 'New User',
      Icon: IconUserPlus,
      synonyms: 'create add admin',
      href: '/users/create',
      capability: 'edit',
    },
    {
      id: 'new-task',
      label: 'New Task',
      Icon: IconCalendarPlus,
      synonyms: 'create add schedule google reviews',
      href: '/tasks/create',
      capability: 'edit',
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
  ]
  return [
    ...allowed(remembered).map((command) => ({ ...command, recentId: command.id })),
    // Not remembered: the first entry of the palette must not sign out.
    { id: 'sign-out', label: 'Sign out', Icon: IconLogout, synonyms: 'log out leave', run: signOut },
  ]
}
