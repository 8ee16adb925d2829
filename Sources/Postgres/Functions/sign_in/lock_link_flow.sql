-- Locks the identity of a link flow, before any account. The identity of a flow never changes.
-- Locks: *lock_identity. Of the identity that waits in the link flow.
-- Invariant: one identity has one account.
create or replace function lock_link_flow(p_flow uuid) returns void language plpgsql as $$
begin
    perform lock_identity(f.state->>'provider', f.state->>'realm', f.state->>'subject')
       from flows f where f.id = p_flow and f.kind = 'link_account';
end $$;
