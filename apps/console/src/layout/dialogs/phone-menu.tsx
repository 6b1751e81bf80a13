import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SlideOver } from '#src/ui/dialog/slide-over.tsx'
import { Sidebar } from '#src/layout/sidebar.tsx'

/** Sidebar of small screens. Closes on navigation. */
export function PhoneMenu({ onClose, onSearch }: { onClose: () => void; onSearch: () => void }) {
  const router = useRouter()
  useEffect(() => router.subscribe('onBeforeNavigate', onClose), [router, onClose])
  return (
    <SlideOver label="Menu" from="left" onClose={onClose}>
      <Sidebar
        onSearch={() => {
          onClose()
          onSearch()
        }}
      />
    </SlideOver>
  )
}
