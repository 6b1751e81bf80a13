import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

/** Opens the export dialog of a list. */
export function ExportButton({ onExport }: { onExport: () => void }) {
  return (
    <Button variant="default" fullWidth leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
      Export
    </Button>
  )
}
