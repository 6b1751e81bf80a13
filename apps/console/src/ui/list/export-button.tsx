import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

/** Above a list: opens the dialog that downloads all of it. */
export function ExportButton({ onExport }: { onExport: () => void }) {
  return (
    <Button variant="default" fullWidth leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
      Export
    </Button>
  )
}
