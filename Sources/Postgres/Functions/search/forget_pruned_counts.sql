-- Deletes the counts of pruned months.
-- Locks: audit_counts.
create or replace function forget_pruned_counts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from audit_counts where hour < new.pruned_before;
    return null;
end $$;
