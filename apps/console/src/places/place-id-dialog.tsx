import { Button, TextInput } from '@mantine/core'
import {
  type GeneratedPlaceId,
  PLACE_QUERY_PART_MAX,
  PLACE_QUERY_REQUIRED,
  type PlaceCandidate,
} from '@switchboard/contract/places'
import { type MouseEvent, type SubmitEvent, useId, useState } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { SampleMapsNotice } from './sample-maps-notice.tsx'
import { fieldErrors, messageOf } from '#src/lib/call-error.ts'
import { CountrySelect } from './country-select.tsx'
import { PlaceCandidates } from './place-candidates.tsx'
import { type PlaceDraft, placeDraft } from './place-draft.ts'
import css from './place-id-dialog.module.css'
import { statusWarning } from './place-labels.ts'
import { useGeneratePlaceId } from './places.api.ts'

const GENERATE_FAILED = 'Failed to generate place ID. Please try again.' // spec §8

/** A place that was looked up; `query` is what Google was asked, by which it is found again. */
export type FoundPlace = Pick<PlaceCandidate, 'place_id' | 'name' | 'address'> & { query: string }

type Props = {
  tenantName: string
  /** What Google was asked when the place was last looked up: the same is asked again unless it is changed. */
  query: string | undefined
  onFound: (place: FoundPlace) => void
  onCancel: () => void
}
type Found = { query: string; candidates: readonly PlaceCandidate[]; chosen: PlaceCandidate }

/**
 * Looks up the Google Place ID of a business (spec §2, Create task). The one open place that there is is handed to
 * `onFound` at once; of several, or when it is closed, the admin chooses.
 */
export function PlaceIdDialog({ tenantName, query: earlier, onFound, onCancel }: Props) {
  const formId = useId()
  const search = useGeneratePlaceId()
  const [draft, setDraft] = useState(() => placeDraft(earlier, tenantName))
  const [isTried, setIsTried] = useState(false)
  const [found, setFound] = useState<Found | null>(null)
  const errors = fieldErrors(search.error)
  const isMissing = (text: string | null) => isTried && (text ?? '').trim() === ''
  const isIncomplete = [draft.tenant_name, draft.city, draft.country].some(isMissing)
  const change = (changed: Partial<PlaceDraft>) => setDraft({ ...draft, ...changed })

  function take(query: string, { place_id, name, address }: PlaceCandidate) {
    onFound({ place_id, name, address, query })
  }

  function show({ data }: GeneratedPlaceId) {
    const chosen = data?.candidates.find(({ place_id }) => place_id === data.place_id)
    if (!data || !chosen) return
    if (data.candidates.length === 1 && chosen.business_status === 'OPERATIONAL') return take(data.query, chosen)
    setFound({ ...data, chosen })
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    const { tenant_name, city, state, country } = draft
    if (search.isPending || tenant_name.trim() === '' || city.trim() === '' || country === null) return
    search.mutate({ tenant_name, city, country, ...(state.trim() !== '' && { state }) }, { onSuccess: show })
  }

  if (found) {
    const warning = statusWarning(found.chosen.business_status)
    return (
      <Dialog title="Generate Place ID" onClose={onCancel}>
        <DialogMain>
          <div className={css.fields}>
            <SampleMapsNotice />
            <PlaceCandidates
              candidates={found.candidates}
              chosen={found.chosen}
              onChoose={(chosen) => setFound({ ...found, chosen })}
            />
            {warning && <Notice tone="warn">{warning}</Notice>}
          </div>
        </DialogMain>
        <DialogFooter>
          <Button variant="default" onClick={() => setFound(null)}>
            Back
          </Button>
          <Button onClick={() => take(found.query, found.chosen)}>Use this place</Button>
        </DialogFooter>
      </Dialog>
    )
  }
  return (
    <Dialog title="Generate Place ID" busy={search.isPending} onClose={onCancel}>
      <DialogMain>
        <form id={formId} className={css.fields} onSubmit={submit} noValidate>
          <SampleMapsNotice />
          {isIncomplete && <Notice tone="bad">{PLACE_QUERY_REQUIRED}</Notice>}
          {search.isError && <Notice tone="bad">{messageOf(search.error, GENERATE_FAILED)}</Notice>}
          {search.data?.success === false && <Notice tone="bad">{search.data.message || GENERATE_FAILED}</Notice>}
          <TextInput
            label="Business/Tenant Name"
            value={draft.tenant_name}
            maxLength={PLACE_QUERY_PART_MAX}
            error={errors['tenant_name'] ?? isMissing(draft.tenant_name)}
            required
            data-autofocus
            dir="auto"
            disabled={search.isPending}
            onChange={(event) => change({ tenant_name: event.currentTarget.value })}
          />
          <div className={css.pair}>
            <TextInput
              label="City"
              value={draft.city}
              maxLength={PLACE_QUERY_PART_MAX}
              error={errors['city'] ?? isMissing(draft.city)}
              required
              dir="auto"
              disabled={search.isPending}
              onChange={(event) => change({ city: event.currentTarget.value })}
            />
            <TextInput
              label="State (optional)"
              value={draft.state}
              maxLength={PLACE_QUERY_PART_MAX}
              error={errors['state']}
              dir="auto"
              disabled={search.isPending}
              onChange={(event) => change({ state: event.currentTarget.value })}
            />
          </div>
          <CountrySelect
            value={draft.country}
            error={errors['country'] ?? isMissing(draft.country)}
            onChange={(country) => change({ country })}
          />
        </form>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" disabled={search.isPending} onMouseDown={keepFocus} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" form={formId} loading={search.isPending} onMouseDown={keepFocus}>
          Generate
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** Without the focus the list of countries closes, and the button moves away under the pointer. */
function keepFocus(event: MouseEvent) {
  event.preventDefault()
}
