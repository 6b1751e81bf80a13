import { Button } from '@mantine/core'
import { IconFilter2 } from '@tabler/icons-react'
import { type ComponentProps, Suspense, useRef, useState } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import css from './filter-button.module.css'
import type { FilterMenu } from './filter-menu.tsx'
import { FilterPopover } from './filter-popover.tsx'

const FilterSheet = lazyPart(() => import('./filter-sheet.tsx').then((code) => code.FilterSheet))

type Props = Omit<ComponentProps<typeof FilterMenu>, 'onClose'> & {
  /** The number of filters that are set. */
  count: number
}

/** The button that opens the filters of a list: a menu below it, or a sheet on a phone. */
export function FilterButton({ count, ...menu }: Props) {
  const isPhone = useIsPhone()
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  // The press on the button of an open menu closes the menu, before the click.
  const wasOpen = useRef(false)
  const close = () => setIsOpen(false)
  const icon = <IconFilter2 size={16} aria-hidden />
  return (
    <>
      <Button
        ref={setButton}
        flex="none"
        variant="default"
        leftSection={!isPhone && icon}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="F"
        aria-label={count === 0 ? 'Filter' : `Filter: ${count} set`}
        onPointerDown={() => {
          wasOpen.current = isOpen
          if (isPhone) void FilterSheet.preload()
        }}
        onClick={({ currentTarget }) => {
          // A shortcut clicks without the focus, which returns here from the menu.
          currentTarget.focus({ preventScroll: true })
          setIsOpen(!wasOpen.current)
          wasOpen.current = false
        }}
      >
        {isPhone ? (
          <span className={css.phone}>
            {icon}
            {count > 0 && <span className={css.count}>{count}</span>}
          </span>
        ) : (
          'Filter'
        )}
      </Button>
      <Suspense>
        {isOpen &&
          (isPhone || button === null ? (
            <FilterSheet {...menu} onClose={close} />
          ) : (
            <FilterPopover {...menu} anchor={button} onClose={close} />
          ))}
      </Suspense>
    </>
  )
}
