-- The pending deletion of an account as operators see it, in addition to account_dossier.
-- Locks: none
create or replace function account_leaving(p_account uuid) returns jsonb language sql stable as $$
    select jsonb_build_object('deletion', case when deletion_due_at is not null then
               jsonb_build_object('requested_at', utc(deletion_requested_at), 'due_at', utc(deletion_due_at), 'by', deletion_by) end)
      from accounts where id = p_account;
$$;
