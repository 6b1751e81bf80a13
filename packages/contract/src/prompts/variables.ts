/** The only type of template today, and the name of its heat category. */
export const GENERAL_PROMPT = 'general'

/** Variables of a template: the first comes from the author, the others from the tenant. */
export const PROMPT_VARIABLES = [
  'goal',
  'current_heat_category_name',
  'tenant_type',
  'aggressiveness',
  'tenant_name',
  'subdomain',
] as const

/** Words of the template language, which cannot be names of variables. */
export const TEMPLATE_WORDS = [
  'and',
  'blank',
  'contains',
  'empty',
  'false',
  'forloop',
  'nil',
  'not',
  'null',
  'or',
  'tablerowloop',
  'true',
] as const
