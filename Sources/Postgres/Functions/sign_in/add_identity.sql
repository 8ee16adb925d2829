-- Adds an identity to an account. Returns the time, or null if the identity already has an owner.
-- Locks: *insert_identity. The caller holds the identity (lock_identity), so no other statement adds
-- it meanwhile.
-- Invariant: one identity has one account.
create or replace function add_identity(p_identity uuid, p_account uuid, p_facts identity_facts, p_rule text, p_session uuid) returns timestamptz
language plpgsql as $$
begin
    if exists (select from identities i
                where i.provider = p_facts.provider and i.realm = p_facts.realm and i.subject = p_facts.subject)
    then
        return null;
    end if;
    return insert_identity(p_identity, p_account, p_facts, p_rule, p_session, case when not is_put_in(p_rule) then mark_beside(p_account) end);
end $$;
