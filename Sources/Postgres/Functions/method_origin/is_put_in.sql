-- Whether a mark says that another person put a sign-in method into the account: an operator, a back end with its access
-- key, or an import. The mark is `joined_by`, `linked_by` or the `source` of an address. A method that was added beside
-- such a method counts too, because the same stranger may have added it.
-- Locks: none
create or replace function is_put_in(p_mark text) returns boolean language sql immutable as $$
    select coalesce(p_mark in ('operator', 'back_end', 'import', 'beside_operator'), false);
$$;
