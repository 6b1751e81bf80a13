import type { MantineColorScheme } from '@mantine/core'
import {
  IconBell,
  IconCalendarPlus,
  IconDeviceDesktop,
  IconHomePlus,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlayerPlay,
  IconSettings,
  IconSun,
  IconUserPlus,
} from '@tabler/icons-react'
import { signOut } from '#src/auth/session.api.ts'
import { NAVIGATION, SETTINGS_PAGES } from '#src/navigation.ts'
import { allowed } from '#src/lib/can.ts'
import type { Entry } from './entry.ts'

/** The screens without a record. */
const SCREENS: Entry[] = [
  ...NAVIGATION.map(({ to, key: _key, ...entry }) => ({ id: to, href: to, ...entry })),
  {
    id: 'alerts',
    label: 'Alerts',
    Icon: IconBell,
    synonyms: 'bell rules notifications mail quiet hours',
    href: '/settings/alerts',
  },
  { id: 'runs', label: 'Runs', Icon: IconPlayerPlay, synonyms: 'all runs of tasks failed retry', href: '/tasks/runs' },
  ...SETTINGS_PAGES.flatMap(({ pages }) =>
    pages.map(({ to, ...page }) => ({ id: `page ${to}`, href: to, Icon: IconSettings, ...page })),
  ),
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
      label: 'Light Theme',
      Icon: IconSun,
      synonyms: 'color scheme appearance',
      run: () => setColorScheme('light'),
    },
    {
      id: 'dark',
      label: 'Dark Theme',
      Icon: IconMoon,
      synonyms: 'color scheme appearance night',
      run: () => setColorScheme('dark'),
    },
    {
      id: 'system',
      label: 'Use System Theme',
      Icon: IconDeviceDesktop,
      synonyms: 'color scheme auto',
      run: () => setColorScheme('auto'),
    },
    { id: 'keys-help', label: 'Keyboard Shortcuts', Icon: IconKeyboard, synonyms: 'help keys', run: openHelp },
  ]
  return [
    ...allowed(remembered).map((command) => ({ ...command, recentId: command.id })),
    // Not remembered: the first entry of the palette must not sign out.
    { id: 'sign-out', label: 'Sign out', Icon: IconLogout, synonyms: 'log out leave', run: signOut },
  ]
}
