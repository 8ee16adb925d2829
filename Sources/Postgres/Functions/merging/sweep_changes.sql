-- Deletes changes that can no longer be undone.
-- Locks: account_changes (for update skip locked).
create or replace function sweep_changes(p_limit integer, p_kept_seconds integer) returns integer language plpgsql as $$
declare
    gone integer;
begin
    delete from account_changes where ctid = any (array(
        select ctid from account_changes where undo_until < now() - make_interval(secs => p_kept_seconds) limit p_limit for update skip locked));
    get diagnostics gone = row_count;
    return gone;
end $$;
