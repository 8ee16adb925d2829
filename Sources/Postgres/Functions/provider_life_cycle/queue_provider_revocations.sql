-- Queues the revocation of an identity's tokens when the identity or its account is deleted, while the row still
-- exists. A moved identity keeps its tokens.
-- Locks: provider_tokens, provider_revocations (new). A trigger: the deleting statement holds the account.
create or replace function queue_provider_revocations() returns trigger language plpgsql as $$
begin
    with gone as (
        delete from provider_tokens where identity_id = old.id returning client_id, kind, sealed
    )
    insert into provider_revocations (provider, client_id, kind, sealed, identity_id, account_id)
    select old.provider, client_id, kind, sealed, old.id, old.account_id from gone;
    return old;
end $$;
