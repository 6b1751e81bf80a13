import {
  type CreateListViewBody,
  createListView,
  deleteListView,
  listListViews,
  type ListView,
  type UpdateListViewBody,
  updateListView,
  type ViewedList,
} from '@switchboard/contract/list-views'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call } from '#src/lib/call.ts'
import { queryClient } from '#src/lib/query-client.ts'

const ALL_VIEWS = ['list-views']

/** The saved views of a list that the admin sees, oldest first. */
export function listViewsQuery(list: ViewedList) {
  return queryOptions({
    queryKey: [...ALL_VIEWS, list],
    queryFn: ({ signal }) => call(listListViews, { query: { list }, signal }),
  })
}

export function useCreateView() {
  return useMutation({
    mutationFn: (body: CreateListViewBody) => callOnce(createListView, { body }),
    onSuccess: (saved) => {
      // At once: the address of the page names the new view.
      queryClient.setQueryData(listViewsQuery(saved.list).queryKey, (views = []) => [...views, saved])
      refreshViews()
    },
  })
}

export function useUpdateView() {
  return useMutation({
    mutationFn: ({ view, body }: { view: ListView; body: UpdateListViewBody }) =>
      call(updateListView, { params: { id: view.id }, body }),
    onSettled: refreshViews,
  })
}

export function useDeleteView() {
  return useMutation({
    mutationFn: (view: ListView) => call(deleteListView, { params: { id: view.id } }),
    onSettled: refreshViews,
  })
}

function refreshViews(): void {
  void queryClient.invalidateQueries({ queryKey: ALL_VIEWS })
}
