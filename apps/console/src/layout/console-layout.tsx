import { ActionIcon } from '@mantine/core'
import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { Link, Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Bell } from './bell.tsx'
import { LoadingPage } from './loading-page.tsx'
import { NotAllowedPage } from './not-allowed-page.tsx'
import { Toaster } from './toaster.tsx'
import { TooltipHost } from './tooltip-host.tsx'
import { focusStart } from '#src/ui/dialog/use-focus-return.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { useCan } from '#src/lib/can.ts'
import { endConfirmation, useIsConfirmationAsked } from '#src/lib/confirmation.ts'
import { isConnectionLost, onConnectionChange } from '#src/lib/connection.ts'
import { ignoreDoubleClicks } from '#src/lib/input/double-clicks.ts'
import { lazyPage, lazyPart } from '#src/lib/lazy.tsx'
import { lazyCode, loadWhenIdle } from '#src/lib/load-code.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { useSession } from '#src/lib/session.ts'
import { isDialogOpen } from '#src/lib/input/single-keys.ts'
import { tellOfNewSignIns } from '#src/account/sign-ins/sign-ins.api.ts'
import { ConnectionBar } from './connection-bar.tsx'
import css from './console-layout.module.css'
import { EarlyFormInput, EarlyInput, isTypingEarly } from './early-input.tsx'
import { useShortcuts } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'

const PaletteDialog = lazyPart(() => import('#src/palette/palette-dialog.tsx').then((code) => code.PaletteDialog))
const ShortcutsDialog = lazyPart(() => import('./dialogs/shortcuts-dialog.tsx').then((code) => code.ShortcutsDialog))
const SignInDialog = lazyPart(() => import('#src/auth/sign-in-dialog.tsx').then((code) => code.SignInDialog))
const ConfirmationDialog = lazyPart(() =>
  import('#src/auth/confirmation/confirmation-dialog.tsx').then((code) => code.ConfirmationDialog),
)
const EnrollmentPage = lazyPage(() =>
  import('#src/account/second-factors/enrollment-page.tsx').then((code) => code.EnrollmentPage),
)
const PhoneMenu = lazyPart(() => import('./dialogs/phone-menu.tsx').then((code) => code.PhoneMenu))

const stream = lazyCode(() => import('#src/signals/stream/stream.api.ts'))

const cancelConfirmation = () => endConfirmation(false)

/** The input before any text is typed or Enter is pressed while the palette loads. */
const NO_INPUT = { typed: '', isEntered: false }

/** The layout around every page after the sign-in. */
export function ConsoleLayout() {
  const session = useSession()
  useFocusOnNewPage()
  if (session.kind === 'loading') return <LoadingPage />
  // After a sign-out, hide the page before the navigation to /login has finished.
  if (session.kind !== 'authenticated') return null
  return <SignedIn admin={session.admin} isExpired={session.isExpired} />
}

function SignedIn({ admin, isExpired }: { admin: CurrentAdmin; isExpired: boolean }) {
  const isConfirmationAsked = useIsConfirmationAsked()
  const [open, setOpen] = useState<'none' | 'palette' | 'shortcuts'>('none')
  const close = () => setOpen('none')
  const capability = useMatches({ select: (matches) => matches.at(-1)?.staticData.capability })
  const isAllowed = useCan(capability ?? 'own_account')
  // A sidebar for wide screens and a bar for small ones: one of them is shown.
  const bell = <Bell hasCount={!admin.must_enroll} />
  const shownPage = isAllowed ? <Outlet /> : <NotAllowedPage />
  usePreloadedCode()
  useSignInNotices()
  useChangesByOthers()
  useEffect(ignoreDoubleClicks, [])
  const [early, setEarly] = useState(NO_INPUT)
  const openPalette = () => {
    setEarly(NO_INPUT)
    setOpen('palette')
  }
  useShortcuts({
    // Never open over another dialog, whose unsaved text would be lost.
    onPalette: () => {
      if (open === 'palette') close()
      else if (!isDialogOpen()) openPalette()
    },
    onHelp: () => setOpen('shortcuts'),
  })
  return (
    <QueryClientProvider client={queryClient}>
      <div className={css.shell}>
        <a href="#content" className={css.skip}>
          Skip to content
        </a>
        <aside className={css.side}>
          <Sidebar bell={bell} onSearch={openPalette} />
        </aside>
        <PhoneBar bell={bell} onSearch={openPalette} />
        <div className={css.content}>
          {admin.must_enroll ? (
            <Suspense>
              <EnrollmentPage />
            </Suspense>
          ) : (
            shownPage
          )}
        </div>
      </div>
      <Suspense
        fallback={
          open === 'palette' && (
            <EarlyInput
              onType={(typed) => setEarly({ typed, isEntered: false })}
              onEnter={() => setEarly((before) => ({ ...before, isEntered: true }))}
              onClose={close}
            />
          )
        }
      >
        {open === 'palette' && <PaletteDialog early={early} onClose={close} onHelp={() => setOpen('shortcuts')} />}
        {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </Suspense>
      <Suspense>{isConfirmationAsked && <ConfirmationDialog onClose={cancelConfirmation} />}</Suspense>
      <Suspense>{isExpired && <SignInDialog email={admin.email} />}</Suspense>
      <EarlyFormInput />
      <ConnectionBar />
      <Toaster />
      <TooltipHost />
    </QueryClientProvider>
  )
}

function PhoneBar({ bell, onSearch }: { bell: ReactNode; onSearch: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <nav className={css.bar} aria-label="Menu">
      <Link to="/">
        <strong>{consoleSettings.brand_name}</strong>
      </Link>
      <ActionIcon variant="subtle" color="gray" size={40} aria-label="Search" className={css.search} onClick={onSearch}>
        <IconSearch size={20} aria-hidden />
      </ActionIcon>
      {bell}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={40}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerDown={() => void PhoneMenu.preload?.()}
        onClick={() => setIsOpen(true)}
      >
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <PhoneMenu onClose={() => setIsOpen(false)} onSearch={onSearch} />
        </Suspense>
      )}
    </nav>
  )
}

/** Preloads the remaining code when the browser is idle, and again when a lost connection is back. */
function usePreloadedCode() {
  useEffect(() => {
    void loadWhenIdle()
    return onConnectionChange(() => {
      if (!isConnectionLost()) void loadWhenIdle()
    })
  }, [])
}

/** Shows notifications for new sign-ins after each page load and each sign-in, after the first screen. */
function useSignInNotices() {
  useEffect(() => {
    tellOfNewSignIns().catch((error: unknown) => console.warn('New sign-ins could not be fetched.', error))
  }, [])
}

/** Follows the changes of others, after the first screen. */
function useChangesByOthers() {
  useEffect(() => {
    let stop: (() => void) | undefined
    let isUnmounted = false
    const start = async () => {
      const { followChanges } = await stream()
      if (!isUnmounted) stop = followChanges()
    }
    start().catch((error: unknown) => console.warn('The changes of others cannot be followed.', error))
    return () => {
      isUnmounted = true
      stop?.()
    }
  }, [])
}

/** Moves the focus to the start of the page after a navigation, for screen readers and keyboards. */
function useFocusOnNewPage() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // An open dialog keeps the focus and moves it to the start on close.
        if (fromLocation === undefined || !pathChanged || isDialogOpen() || isTypingEarly()) return
        // A form focuses its first field, a list the row that the user comes back to, and a tab keeps the focus.
        if (document.activeElement?.matches('main :is(input, select, textarea, tr, nav [aria-current="page"])')) return
        focusStart()
      }),
    [router],
  )
}
