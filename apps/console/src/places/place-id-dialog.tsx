import { Button, TextInput } from '@mantine/core'
import {
  type GeneratedPlaceId,
  PLACE_QUERY_PART_MAX,
  PLACE_QUERY_REQUIRED,
  type PlaceCandidate,
  placeQuery,
} from '@switchboard/contract/places'
import type { TaskPlace } from '@switchboard/contract/tasks'
import { useState } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import css from '#src/ui/form/form.module.css'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Notice } from '#src/ui/notice/notice.tsx'
import { CountrySelect } from './country-select.tsx'
import { PlaceCandidates } from './place-candidates.tsx'
import { type PlaceDraft, placeDraft } from './place-draft.ts'
import { statusWarning } from './place-labels.ts'
import { useGeneratePlaceId } from './places.api.ts'
import { SampleMapsNotice } from '#src/ui/notice/sample-maps-notice.tsx'

const FAILED = 'Failed to generate place ID. Please try again.'

type Props = {
  tenantName: string
  /** The query of an earlier look-up, to fill in the fields. */
  query: string | undefined
  onFound: (place: TaskPlace) => void
  onCancel: () => void
}
type Found = { query: string; candidates: readonly PlaceCandidate[]; chosen: PlaceCandidate }

/**
 * Looks up the Google Place ID of a business. A single open place goes to `onFound` at once; between several places, or
 * for a closed place, the admin chooses.
 */
export function PlaceIdDialog({ tenantName, query: earlier, onFound, onCancel }: Props) {
  const search = useGeneratePlaceId()
  const [found, setFound] = useState<Found | null>(null)
  const form = useFormFrame({
    initialValues: placeDraft(earlier, tenantName),
    validate: missingFields,
    send: async ({ state, ...draft }) =>
      search.mutateAsync(placeQuery.parse({ ...draft, ...(state.trim() !== '' && { state }) })),
    onSaved: show,
    failure: FAILED,
  })

  /** `query` is the text sent to Google, stored to repeat the look-up. Google may omit the name or the address. */
  function take(query: string, { place_id, name, address }: PlaceCandidate) {
    onFound({
      place_id,
      query,
      ...(name !== null && { place_name: name }),
      ...(address !== null && { place_address: address }),
    })
  }

  function show({ success, message, data }: GeneratedPlaceId) {
    if (!success) form.setMessage({ kind: 'failed', text: message || FAILED })
    const chosen = data?.candidates.find(({ place_id }) => place_id === data.place_id)
    if (!data || !chosen) return
    if (data.candidates.length === 1 && chosen.business_status === 'OPERATIONAL') return take(data.query, chosen)
    setFound({ ...data, chosen })
  }

  if (found) {
    const warning = statusWarning(found.chosen.business_status)
    return (
      <Dialog title="Generate Place ID" onClose={onCancel}>
        <DialogMain>
          <div className="stack">
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
          <Button onClick={() => take(found.query, found.chosen)}>Use This Place</Button>
        </DialogFooter>
      </Dialog>
    )
  }
  return (
    <DialogForm title="Generate Place ID" form={form} submit="Generate" isGuarded={false} onClose={onCancel}>
      <SampleMapsNotice />
      <TextInput
        label="Business/Tenant Name"
        maxLength={PLACE_QUERY_PART_MAX}
        required
        data-autofocus
        {...form.getInputProps('tenant_name')}
      />
      <div className={css.pair}>
        <TextInput label="City" maxLength={PLACE_QUERY_PART_MAX} required {...form.getInputProps('city')} />
        <TextInput label="State (optional)" maxLength={PLACE_QUERY_PART_MAX} {...form.getInputProps('state')} />
      </div>
      <CountrySelect {...form.control('country')} />
    </DialogForm>
  )
}

function missingFields({ tenant_name, city, country }: PlaceDraft) {
  const missing = { tenant_name: tenant_name.trim() === '', city: city.trim() === '', country: country === null }
  return { ...(Object.values(missing).includes(true) && { '': PLACE_QUERY_REQUIRED }), ...missing }
}
