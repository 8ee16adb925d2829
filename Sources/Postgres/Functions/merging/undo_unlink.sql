-- Links an identity again that an operator unlinked. The caller holds the identity and the account. Errors: LG012 (the
-- identity belongs to another account).
-- Locks: *lock_identity, identities, *forget_address_changes, *end_guest. The caller holds the identity and the
-- account.
-- Invariant: one identity has one account.
create or replace function undo_unlink(p_change account_changes) returns void language plpgsql as $$
declare
    gone constant identities := jsonb_populate_record(null::identities, p_change.state);
begin
    perform lock_identity(gone.provider, gone.realm, gone.subject);
    insert into identities select (gone).* on conflict do nothing;
    if not found then
        raise exception 'in use' using errcode = 'LG012';
    end if;
    perform notify_account(p_change.account_id, 'identity_linked', jsonb_build_object('provider', gone.provider));
end $$;
