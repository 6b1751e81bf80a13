import { expect, test } from 'vitest'
import { offsetOf, templateWarnings } from './template-problems.ts'

test.for([
  [1, 1, 0],
  [1, 3, 2],
  [2, 1, 4],
  [4, 2, 8],
])('line %i, column %i is at %i', ([line = 0, column = 0, offset]) => {
  expect(offsetOf('abc\nd\n\nef', line, column)).toBe(offset)
})

test('a missing goal and unknown variables cause warnings', () => {
  const preview = {
    rendered_content: '',
    variables: {
      goal: '',
      tenant_type: 'product' as const,
      aggressiveness: 5,
      tenant_name: '',
      subdomain: '',
      declared_variables: {},
      custom_fields: {},
    },
    uses_goal: false,
    unknown_variables: [{ name: 'gaol', line: 2, column: 4 }],
  }
  expect(templateWarnings(preview, false)).toEqual([
    'The template does not use goal: every tenant gets the same text.',
    'Unknown variable: gaol (line 2). No value is provided, so it renders as empty.',
  ])
  expect(templateWarnings({ ...preview, uses_goal: true, unknown_variables: [] }, false)).toEqual([])
  expect(templateWarnings({ ...preview, unknown_variables: [] }, true)).toEqual([])
})
