import { Button } from '@mantine/core'
import type { Offer } from '#src/lib/call.ts'
import { counted } from '#src/lib/format/count.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'

type Props = {
  offer: Offer
  /** Singular noun of a row: "tenant". */
  noun: string
}

/** The rows that others have added to a list, or the news that rows have moved or gone. The list changes only on a click. */
export function ListOffer({ offer: { added, show }, noun }: Props) {
  const isPhone = useIsPhone()
  const news = added === 0 ? 'This list has changed' : counted(added, `new ${noun}`)
  const short = added === 0 ? 'Changed' : `${added} new`
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`${news} · Show`}
      onClick={() => {
        // The button disappears.
        focusTitle()
        show()
      }}
    >
      {isPhone ? short : `${news} · Show`}
    </Button>
  )
}
