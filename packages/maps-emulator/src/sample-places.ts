import { draw, pick } from './draw.ts'
import { type Fault, FAULTS } from './faults.ts'
import { invalidArgument } from './google-error.ts'
import { sampleReviews } from './sample-reviews.ts'

/**
 * The parts of a sample place. The id contains all of them, so that the emulator is stateless and an id means the same
 * place after a restart.
 */
export type Sample = {
  branch: number
  name: string
  locality: string
  region: string
  /** Permanent fault of the place. */
  fault?: Fault | undefined
}

const NAME_MAX = 60
const BRANCHES = ['Downtown', 'Riverside', 'Old Town', 'Station', 'Harbour'] as const

/**
 * The ids of the places for a text such as `Acme Dental, Austin, United States`: mostly one, for a third of all names
 * several. Words in the name choose: "nowhere" finds none, "chain" five, "closed" a closed and "moved" a moved place.
 */
export function searchSamples(textQuery: string, region: string): string[] {
  const [name = '', ...where] = textQuery.split(',').map((part) => part.trim())
  const count = branchCount(name)
  return Array.from({ length: count }, (_, branch) =>
    sampleId({
      branch: count === 1 ? 0 : branch + 1,
      name: name.slice(0, NAME_MAX),
      locality: where.slice(0, -1).join(', ').slice(0, NAME_MAX),
      region,
    }),
  )
}

/** The place of an id, at a moment. Throws like Google for an invalid id. */
export function samplePlace(id: string, now: Date) {
  const sample = sampleOf(id)
  const status = businessStatus(sample)
  return {
    name: `places/${id}`,
    id,
    displayName: { text: displayName(sample), languageCode: 'en' },
    formattedAddress: address(sample),
    businessStatus: status,
    googleMapsUri: `https://maps.example/place/${id}`,
    googleMapsLinks: { reviewsUri: `https://maps.example/place/${id}/reviews` },
    ...(isNamed(sample.name, 'moved') && {
      movedPlaceId: sampleId({ ...sample, name: `New ${sample.name.replace(/moved/i, 'home')}` }),
    }),
    ...(draw(4, id, 'attribution') === 0 && {
      attributions: [{ provider: 'Sample Listings', providerUri: 'https://listings.example/' }],
    }),
    ...(status !== 'FUTURE_OPENING' && sampleReviews(id, now)),
  }
}

function branchCount(name: string): number {
  if (name === '' || isNamed(name, 'nowhere')) return 0
  if (isNamed(name, 'chain')) return 5
  if (isNamed(name, 'closed', 'moved', 'soon')) return 1
  return draw(3, name.toLowerCase()) === 0 ? 2 + draw(4, name.toLowerCase(), 'branches') : 1
}

function businessStatus({ name, branch }: Sample): string {
  if (isNamed(name, 'closed', 'moved')) return 'CLOSED_PERMANENTLY'
  if (isNamed(name, 'soon')) return 'FUTURE_OPENING'
  // The first of several places is open; some of the others are closed.
  if (branch < 2) return 'OPERATIONAL'
  return pick(['OPERATIONAL', 'OPERATIONAL', 'CLOSED_TEMPORARILY', 'CLOSED_PERMANENTLY'], name, branch)
}

function isNamed(name: string, ...words: string[]): boolean {
  const inName = name.toLowerCase().split(/[^a-z]+/)
  return words.some((word) => inName.includes(word))
}

function displayName({ name, branch }: Sample): string {
  return branch === 0 ? name : `${name} ${BRANCHES[branch - 1] ?? branch}`
}

function address(sample: Sample): string {
  const country = new Intl.DisplayNames(['en'], { type: 'region' }).of(sample.region)
  const number = 1 + draw(199, sample.name, sample.branch, 'number')
  return [`${number} Sample Street`, sample.locality, country].filter((part) => part !== '').join(', ')
}

const SAMPLE_ID = /^(\d)\|([^|]*)\|([^|]*)\|([A-Z]{2})(?:\|(\w+))?$/

/** The id of a place. */
export function sampleId({ branch, name, locality, region, fault }: Sample): string {
  const parts = [branch, name.replaceAll('|', ' '), locality.replaceAll('|', ' '), region]
  const text = [...parts, ...(fault === undefined ? [] : [fault])].join('|')
  return `ChIJ${Buffer.from(text).toString('base64url')}`
}

/** The fault in an id. */
export function faultOf(id: string): Fault | undefined {
  const [, , , , , fault] = partsOf(id)
  return FAULTS.find((name) => name === fault)
}

function partsOf(id: string): RegExpExecArray | [] {
  return SAMPLE_ID.exec(Buffer.from(id.slice(4), 'base64url').toString()) ?? []
}

/** The parts of a sample id. Any other id, such as a real one, gets pseudorandom parts. */
function sampleOf(id: string): Sample {
  if (!/^ChIJ[\w-]{4,}$/.test(id)) throw invalidArgument(`Not a valid Place ID: ${id}`)
  const [, branch, name, locality, region] = partsOf(id)
  if (name !== undefined && locality !== undefined && region !== undefined) {
    return { branch: Number(branch), name, locality, region }
  }
  const word = pick(['Amber', 'Birch', 'Cedar', 'Fjord', 'Juniper'], id, 'word')
  const trade = pick(['Bakery', 'Clinic', 'Garage', 'Studio', 'Works'], id, 'trade')
  return { branch: 0, name: `${word} ${trade}`, locality: 'Sampleton', region: 'US' }
}
