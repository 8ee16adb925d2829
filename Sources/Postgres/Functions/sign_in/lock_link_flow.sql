-- The lock of the identity that waits in a link flow, before any account. An identity's flow never becomes another's.
-- Locks: *lock_identity. Of the identity that waits in the link flow.
-- Invariant: one identity has one account.
create or replace function lock_link_flow(p_flow uuid) returns void language plpgsql as $$
begin
    perform lock_identity(f.state->>'provider', f.state->>'realm', f.state->>'subject')
       from flows f where f.id = p_flow and f.kind = 'link_account';
end $$;
